import type { ServerResponse } from 'node:http'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { ChatCompletionChunk } from '@trivium/gateway-core/ports'
import { describe, expect, it } from 'vitest'
import { chatRequest, context, failureOf, latch } from '../../gateway-core/tests/provider-calls.ts'
import { type SeenRequest, upstreamServer } from '../../gateway-core/tests/upstream-server.ts'
import { aiSdkProvider } from './ai-sdk-provider.ts'

/** Model objects of the SDK itself, which call a server of the test over HTTP. */
async function providerFor(answer: (request: SeenRequest, response: ServerResponse) => void) {
  const server = await upstreamServer(answer)
  const sdk = createOpenAICompatible({ name: 'local', baseURL: `${server.origin}/v1`, apiKey: 'k', includeUsage: true })
  const provider = aiSdkProvider({
    id: 'sdk',
    languageModels: { m: sdk('real-model') },
    imageModels: { i: sdk.imageModel('real-image') },
  })
  const { chat, images } = provider
  if (!chat || !images) throw new Error('It is not complete')
  return { ...server, chat, images }
}

const json =
  (value: unknown, status = 200) =>
  (_: SeenRequest, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '4' })
    response.end(JSON.stringify(value))
  }

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'real-model',
  choices: [{ index: 0, delta, finish_reason }],
})

const events = (...values: readonly unknown[]) => values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('')

const stream = (text: string) => (_: SeenRequest, response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(text)
}

describe('aiSdkProvider with model objects of the SDK', () => {
  it('completes a chat with tools and images', async () => {
    const tool_calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }]
    const { chat, seen } = await providerFor(
      json({
        id: 'c1',
        created: 1_700_000_000,
        model: 'real-model',
        choices: [{ index: 0, message: { role: 'assistant', content: null, tool_calls }, finish_reason: 'tool_calls' }],
        usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 },
      }),
    )
    const answer = await chat.complete(
      chatRequest({
        messages: [
          { role: 'system', content: 'S' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Look' },
              { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
              { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
            ],
          },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'b', type: 'function', function: { name: 'f', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'b', content: 'done' },
        ],
        tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
        tool_choice: 'required',
        max_tokens: 50,
        temperature: 0.2,
      }),
      context(),
    )
    expect(answer).toMatchObject({
      completion: {
        id: 'c1',
        created: 1_700_000_000,
        model: 'real-model',
        choices: [{ message: { content: null, tool_calls }, finish_reason: 'tool_calls' }],
        usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 },
      },
    })
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({
      model: 'real-model',
      max_tokens: 50,
      temperature: 0.2,
      tool_choice: 'required',
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
      messages: [
        { role: 'system', content: 'S' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
            { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
          ],
        },
        { role: 'assistant', tool_calls: [{ id: 'b', type: 'function', function: { name: 'f', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'b', content: 'done' },
      ],
    })
    expect(seen[0]?.headers.authorization).toBe('Bearer k')
  })

  it('streams text, parallel calls and usage', async () => {
    const call = (index: number, id: string, name: string, given: string) => ({
      tool_calls: [{ index, id, type: 'function', function: { name, arguments: given } }],
    })
    const { chat } = await providerFor(
      stream(
        `${events(
          chunk({ role: 'assistant', content: '' }),
          chunk({ content: 'Hel' }),
          chunk({ content: 'lo' }),
          chunk(call(0, 'a', 'f', '{"x"')),
          chunk({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }),
          chunk(call(1, 'b', 'g', '{}')),
          chunk({}, 'tool_calls'),
          { ...chunk({}), choices: [], usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 } },
        )}data: [DONE]\n\n`,
      ),
    )
    const answer = await chat.stream(chatRequest({ stream: true }), context())
    if (answer.kind !== 'chunks') throw new Error('It has no chunks')
    const chunks: ChatCompletionChunk[] = []
    for await (const item of answer.chunks) chunks.push(item)
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta))
    expect(deltas.map(({ content }) => content ?? '').join('')).toBe('Hello')
    const inputs = ['', '']
    for (const { index, function: part } of deltas.flatMap(({ tool_calls = [] }) => tool_calls)) {
      inputs[index] += part?.arguments ?? ''
    }
    expect(inputs).toEqual(['{"x":1}', '{}'])
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('tool_calls')
    expect(chunks.at(-1)).toMatchObject({
      id: 'c1',
      model: 'real-model',
      usage: { prompt_tokens: 9, total_tokens: 11 },
    })
  })

  it('reports a refusal of the upstream', async () => {
    const { chat, seen } = await providerFor(
      json({ error: { message: 'Slow down', type: 'requests', param: null, code: 'rate_limit_exceeded' } }, 429),
    )
    expect(await failureOf(chat.complete(chatRequest(), context()))).toMatchObject({
      type: 'refused',
      status: 429,
      message: 'Slow down',
      code: 'rate_limit_exceeded',
      retryAfterSeconds: 4,
    })
    expect(seen).toHaveLength(1)
  })

  it('reports an error inside a stream', async () => {
    const { chat } = await providerFor(
      stream(
        events(chunk({ content: 'a' }), { error: { message: 'Out of memory', type: 'server_error', code: null } }),
      ),
    )
    const answer = await chat.stream(chatRequest(), context())
    if (answer.kind !== 'chunks') throw new Error('It has no chunks')
    const { chunks } = answer
    const read = async () => {
      for await (const _ of chunks);
    }
    expect(await failureOf(read())).toMatchObject({ type: 'refused', beforeFirstByte: false })
  })

  it.each([
    ['ends', (response: ServerResponse) => response.end()],
    ['is reset', (response: ServerResponse) => response.socket?.resetAndDestroy()],
  ])('reports a stream that %s too early as incomplete', async (_, cut) => {
    const { chat } = await providerFor((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(events(chunk({ content: 'a' })), () => setImmediate(cut, response))
    })
    const answer = await chat.stream(chatRequest(), context())
    if (answer.kind !== 'chunks') throw new Error('It has no chunks')
    const { chunks } = answer
    const read = async () => {
      for await (const _ of chunks);
    }
    const failure = await failureOf(read())
    expect(['interrupted', 'malformed']).toContain(failure.type)
    expect(failure).toMatchObject({ beforeFirstByte: false, retryable: true })
  })

  it('reports a server that does not listen as unreachable', async () => {
    const sdk = createOpenAICompatible({ name: 'local', baseURL: 'http://127.0.0.1:1/v1' })
    const { chat } = aiSdkProvider({ id: 'sdk', languageModels: { m: sdk('x') } })
    if (!chat) throw new Error('It has no chat')
    const failure = await failureOf(chat.complete(chatRequest(), context()))
    expect(failure).toMatchObject({ type: 'unreachable' })
    expect(failure.message).not.toContain('127.0.0.1')
  })

  it.each(['complete', 'stream'] as const)('cancels the request of a client that disconnects (%s)', async (how) => {
    const closed = latch<void>()
    const controller = new AbortController()
    const { chat } = await providerFor((_, response) => {
      response.on('close', () => closed.resolve())
      controller.abort()
    })
    expect(await failureOf(chat[how](chatRequest(), context(controller.signal)))).toMatchObject({ type: 'cancelled' })
    await closed.promise
  })

  it('generates images', async () => {
    const png = Buffer.from('89504e470d0a1a0a00', 'hex').toString('base64')
    const { images, seen } = await providerFor(json({ created: 1, data: [{ b64_json: png }] }))
    const request = { model: 'i', prompt: 'A cat', count: 1, size: { width: 256, height: 256 }, extra: {} }
    expect((await images.generate(request, context())).images).toMatchObject([{ contentType: 'image/png' }])
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ model: 'real-image', prompt: 'A cat', size: '256x256' })
  })
})
