import { createHash } from 'node:crypto'
import {
  type ChatCompletion,
  type ChatCompletionChunk,
  type ChatCompletionRequest,
  type ImageRequest,
  type Provider,
  type ProviderContext,
  ProviderFailure,
} from '@trivium/gateway-core/ports'
import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { localProvider } from './local-provider.ts'

describe('the models of localProvider', () => {
  it('state in their ids and owners that they are not language models', async () => {
    const models = await localProvider().models({ signal: new AbortController().signal })
    expect(models.map(({ id, kind }) => [id, kind])).toEqual([
      ['echo-no-llm', 'chat'],
      ['eliza-no-llm', 'chat'],
      ['scripted-no-llm', 'chat'],
      ['procedural-no-llm', 'image'],
      ['embedding-1-lexical', 'embedding'],
      ['rerank-1-lexical', 'rerank'],
    ])
    for (const { ownedBy } of models) expect(ownedBy).toContain('no language model')
  })
})

describe('a chat with localProvider', () => {
  it('returns the same answer to the same request, with usage', async () => {
    const answer = await complete({ messages: [user('Two  words, then more')] })
    expect(answer).toEqual({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_767_225_600,
      model: 'echo-no-llm',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Two  words, then more', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 4, completion_tokens: 4, total_tokens: 8 },
    })
  })

  it('streams the role, the tokens, the finish reason and the usage', async () => {
    const body = { messages: [user('a b\n c ')], n: 2 }
    const chunks = await stream(body)
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '', refusal: null })
    for (const index of [0, 1]) {
      const choices = chunks.flatMap(({ choices }) => choices.filter((choice) => choice.index === index))
      expect(choices.map(({ delta }) => delta.content ?? '').join('')).toBe('a b\n c ')
      expect(choices.at(-1)).toMatchObject({ delta: {}, finish_reason: 'stop' })
    }
    const whole = await complete(body)
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage })
  })

  it('adds a usage to every chunk for a client that requests it', async () => {
    const body = { messages: [user('Hi')], stream: true, stream_options: { include_usage: true } }
    const usages = (await stream(body)).map(({ usage }) => usage)
    expect(usages).toEqual([null, null, null, { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }])
  })

  it('stops at max_tokens and before a stop sequence', async () => {
    const messages = [user('one two three four')]
    expect((await complete({ messages, max_tokens: 2 })).choices[0]).toMatchObject({
      message: { content: 'one two' },
      finish_reason: 'length',
    })
    expect((await complete({ messages, stop: ['four', ' three'] })).choices[0]).toMatchObject({
      message: { content: 'one two' },
      finish_reason: 'stop',
    })
  })

  it('calls a required tool with arguments that match its schema', async () => {
    const body = {
      messages: [user('Paris')],
      tool_choice: { type: 'function', function: { name: 'weather' } },
      tools: [
        { type: 'function', function: { name: 'time' } },
        { type: 'function', function: { name: 'weather', parameters: weatherSchema } },
      ],
    } as const
    const [choice] = (await complete(body)).choices
    const expected = { city: 'Paris', days: 1, unit: 'celsius', hours: [false] }
    expect(choice?.finish_reason).toBe('tool_calls')
    expect(choice?.message.content).toBeNull()
    const call = choice?.message.tool_calls?.[0]
    expect(call?.type === 'function' && JSON.parse(call.function.arguments)).toEqual(expected)

    const deltas = (await stream(body)).flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
    expect(deltas[0]).toMatchObject({ index: 0, id: 'call_0_0', type: 'function', function: { name: 'weather' } })
    expect(JSON.parse(deltas.map((delta) => delta.function?.arguments ?? '').join(''))).toEqual(expected)
  })

  it.each([
    [{ mode: 'required', tools: [{ type: 'function', function: { name: 'weather' } }] }, 'weather'],
    [{ mode: 'auto', tools: [{ type: 'function', function: { name: 'weather' } }] }, undefined],
    [{ mode: 'required', tools: [{ type: 'custom', custom: { name: 'shell' } }] }, undefined],
  ])('calls only an allowed tool, and only if one is required: %j', async (allowed_tools, name) => {
    const [choice] = (
      await complete({
        messages: [user('Paris')],
        tool_choice: { type: 'allowed_tools', allowed_tools },
        tools: [
          { type: 'function', function: { name: 'time' } },
          { type: 'function', function: { name: 'weather' } },
        ],
      })
    ).choices
    const [call] = choice?.message.tool_calls ?? []
    expect(call?.type === 'function' ? call.function.name : undefined).toBe(name)
  })

  it('calls no function if another kind of tool is chosen', async () => {
    const [choice] = (
      await complete({
        messages: [user('Paris')],
        tool_choice: { type: 'custom', custom: { name: 'shell' } },
        tools: [
          { type: 'function', function: { name: 'time' } },
          { type: 'custom', custom: { name: 'shell' } },
        ],
      })
    ).choices
    expect(choice?.message).toMatchObject({ content: 'Paris' })
  })

  it('answers in the requested JSON format', async () => {
    const messages = [user('hello')]
    const object = await complete({ messages, response_format: { type: 'json_object' } })
    expect(object.choices[0]?.message.content).toBe('{"text":"hello"}')
    const schema = await complete({
      messages,
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: weatherSchema } },
    })
    expect(JSON.parse(schema.choices[0]?.message.content ?? '')).toMatchObject({ city: 'hello' })
  })

  it('turns texts into questions with eliza-no-llm', async () => {
    const say = async (text: string) =>
      (await complete({ messages: [user(text)] }, 'eliza-no-llm')).choices[0]?.message.content
    expect(await say('I am afraid of my computer.')).toBe('Do you like being afraid of your computer?')
    expect(await say('I am afraid of my computer.')).toBe('Do you like being afraid of your computer?')
    expect(await say('my mother called')).toBe('What is your mother like?')
    expect(await say('$& and $1')).toBe('Can you say that in other words?')
  })

  it('follows its script of texts and tool calls', async () => {
    const provider = localProvider({
      script: [
        { when: 'weather', reply: { type: 'tool-calls', calls: [{ name: 'weather', arguments: { city: 'Paris' } }] } },
        { when: /^\d+ degrees$/, reply: { type: 'text', text: 'It is warm.' } },
      ],
    })
    const [first] = (await complete({ messages: [user('the weather?')] }, 'scripted-no-llm', provider)).choices
    expect(first).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ function: { name: 'weather' } }] },
    })
    const tool = { role: 'tool', tool_call_id: 'call_0_0', content: '21 degrees' } as const
    const [second] = (await complete({ messages: [user('the weather?'), tool] }, 'scripted-no-llm', provider)).choices
    expect(second?.message.content).toBe('It is warm.')
  })

  it('waits before each token, and stops when the signal aborts', async () => {
    const waits: number[] = []
    const controller = new AbortController()
    const provider = localProvider({
      tokenDelayMs: 50,
      sleep: async (milliseconds, signal) => {
        waits.push(milliseconds)
        if (waits.length === 3) controller.abort()
        signal.throwIfAborted()
      },
    })
    const answer = stream({ messages: [user('one two three four')] }, provider, controller.signal)
    await expect(answer).rejects.toThrow(ProviderFailure)
    await expect(answer).rejects.toMatchObject({ error: { type: 'cancelled' } })
    expect(waits).toEqual([50, 50, 50])
  })

  it('ends its own timer when the signal aborts', async () => {
    const controller = new AbortController()
    const provider = localProvider({ tokenDelayMs: 3_600_000 })
    const answer = provider.chat?.complete(request({ messages: [user('one')] }), context(controller.signal))
    controller.abort()
    await expect(answer).rejects.toMatchObject({ error: { type: 'cancelled', retryable: false } })
  })

  it('returns 404 for other models', async () => {
    await expect(complete({ messages: [user('x')] }, 'gpt-4')).rejects.toMatchObject({
      error: { type: 'refused', status: 404, code: 'model_not_found' },
    })
  })
})

describe('images of localProvider', () => {
  it('get the requested size, and depend on prompt, seed and number', async () => {
    const images = await paint({ count: 2, size: { width: 64, height: 32 } })
    expect(images.map(sizeOf)).toEqual([
      [64, 32],
      [64, 32],
    ])
    const again = await paint({ count: 2, size: { width: 64, height: 32 } })
    expect(again.map(digest)).toEqual(images.map(digest))
    const others = await paint({ prompt: 'dog', count: 1, size: { width: 64, height: 32 } })
    const seeded = await paint({ count: 1, size: { width: 64, height: 32 }, extra: { seed: 7 } })
    expect(new Set([...images, ...others, ...seeded].map(digest)).size).toBe(4)
  })

  it('get a default size of 1024 by 1024 pixels', async () => {
    const [image] = await paint({ count: 1 })
    expect(image && sizeOf(image)).toEqual([1024, 1024])
    expect(image && new Set(PNG.sync.read(Buffer.from(image)).data).size).toBeGreaterThan(100)
  })

  it('refuse sizes above 2048 pixels', async () => {
    await expect(paint({ size: { width: 4_096, height: 16 } })).rejects.toMatchObject({
      error: { type: 'unsupported', param: 'size' },
    })
  })

  it('stop when the signal aborts', async () => {
    const controller = new AbortController()
    const painted = paint({ count: 10 }, controller.signal)
    controller.abort()
    await expect(painted).rejects.toMatchObject({ error: { type: 'cancelled' } })
  })
})

const weatherSchema = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer', minimum: 1 },
    unit: { enum: ['celsius', 'fahrenheit'] },
    hours: { type: 'array', items: { type: 'boolean' } },
  },
}

const user = (content: string) => ({ role: 'user', content }) as const

const options = { now: () => new Date(Date.UTC(2026, 0, 1)), newId: () => '1' }

const request = (body: Omit<ChatCompletionRequest, 'model'>, model = 'echo-no-llm') => ({
  model,
  body: { ...body, model, messages: body.messages as ChatCompletionRequest['messages'] }, // Omit loses it to the index signature
  encode: () => new Uint8Array(),
})

const context = (signal = new AbortController().signal): ProviderContext => ({
  requestId: 'request-1',
  signal,
  headers: {},
  connectTimeoutMs: 1_000,
})

async function complete(
  body: Omit<ChatCompletionRequest, 'model'>,
  model = 'echo-no-llm',
  provider: Provider = localProvider(options),
): Promise<ChatCompletion> {
  const answer = await provider.chat?.complete(request(body, model), context())
  if (answer?.kind !== 'completion') throw new Error('Not a typed completion')
  return answer.completion
}

async function stream(
  body: Omit<ChatCompletionRequest, 'model'>,
  provider: Provider = localProvider(options),
  signal?: AbortSignal,
): Promise<ChatCompletionChunk[]> {
  const answer = await provider.chat?.stream(request(body), context(signal))
  if (answer?.kind !== 'chunks') throw new Error('Not a stream of chunks')
  const chunks: ChatCompletionChunk[] = []
  for await (const chunk of answer.chunks) chunks.push(chunk)
  return chunks
}

async function paint(differences: Partial<ImageRequest>, signal?: AbortSignal): Promise<Uint8Array[]> {
  const whole = { model: 'procedural-no-llm', prompt: 'cat', count: 1, extra: {}, ...differences }
  const painted = await localProvider().images?.generate(whole, context(signal))
  return painted?.images.map(({ bytes }) => bytes) ?? []
}

function sizeOf(bytes: Uint8Array) {
  const { width, height } = PNG.sync.read(Buffer.from(bytes))
  return [width, height]
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
