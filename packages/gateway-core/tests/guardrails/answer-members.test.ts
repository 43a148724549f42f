import { type PatternsGuardrailOptions, patternsGuardrail } from '@trivium/gateway-core'
import { openAiProvider } from '@trivium/openai-provider'
import { describe, expect, it } from 'vitest'
import { openGateway } from '../open-gateway.ts'
import { upstreamServer } from '../upstream-server.ts'

const SECRET = 'sk-ant-api03-abcdefghijklmnop'

type Json = Readonly<Record<string, unknown>>

/** A gateway whose answers are checked, over an upstream that sends these events or this answer. */
async function open(answer: Json | readonly Json[], action: PatternsGuardrailOptions['action'] = 'mask') {
  const server = await upstreamServer((_, response) => {
    const isStream = Array.isArray(answer)
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
    const events = (isStream ? answer : []).map((event) => `data: ${JSON.stringify(event)}\n\n`)
    response.end(isStream ? `${events.join('')}data: [DONE]\n\n` : JSON.stringify(answer))
  })
  const provider = openAiProvider({
    id: 'up',
    baseUrl: `${server.origin}/v1`,
    apiKey: 'upstream-key',
    models: ['big', 'davinci-002'],
    dialects: ['chat', 'responses'],
  })
  const opened = openGateway({
    providers: [provider],
    retries: { retries: 0 },
    guardrails: [patternsGuardrail({ names: ['secret', 'email', 'card'], action, on: ['output'] })],
  })
  const { secret } = await opened.key()
  const ask = async (path: string, fields: Json) => {
    const body = { model: 'up/big', stream: Array.isArray(answer), ...fields }
    return (await opened.send(path, { as: secret, body })).text()
  }
  return {
    chat: () => ask('/v1/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }),
    completion: () => ask('/v1/completions', { model: 'up/davinci-002', prompt: 'Hi' }),
    response: () => ask('/v1/responses', { input: 'Hi', store: false }),
  }
}

const chunk = (delta: Json, more: Json = {}, reason: string | null = null) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'big',
  choices: [{ index: 0, delta, finish_reason: reason }],
  ...more,
})
const completion = (text: string, more: Json = {}, reason: string | null = null) => ({
  id: 'c',
  object: 'text_completion',
  created: 1,
  model: 'davinci-002',
  choices: [{ index: 0, text, finish_reason: reason }],
  ...more,
})
const response = (more: Json = {}) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'big',
  output: [
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
    },
  ],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  ...more,
})
const call = (id: string, args: string, index: number | undefined) => ({
  ...(index !== undefined && { index }),
  id,
  type: 'function',
  function: { name: 'save', arguments: args },
})

/** Returns the deltas of a stream of chat completions. */
const deltasOf = (text: string): readonly Json[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .flatMap((line) => JSON.parse(line.slice(6)).choices?.[0]?.delta ?? [])

describe('a guarded stream with text that is held', () => {
  it('has other members of an event once, and masked, for chat completions', async () => {
    const { chat } = await open([chunk({ role: 'assistant', content: 'x' }, { note: SECRET }), chunk({}, {}, 'stop')])
    const text = await chat()
    expect(text).not.toContain(SECRET)
    expect(text.split('"note":"[SECRET]"')).toHaveLength(2)
    expect(deltasOf(text).map(({ content }) => content ?? '')).toContain('x')
  })

  it('has other members of an event once, and masked, for completions', async () => {
    const { completion: ask } = await open([completion('x', { note: SECRET }), completion('', {}, 'stop')])
    const text = await ask()
    expect(text).not.toContain(SECRET)
    expect(text).toContain('"text":"x"')
  })

  it('has other members of an event once, and masked, for responses', async () => {
    const at = { item_id: 'msg_1', output_index: 0, content_index: 0 }
    const { response: ask } = await open([
      { type: 'response.created', sequence_number: 0, response: response({ status: 'in_progress', output: [] }) },
      { type: 'response.output_text.delta', sequence_number: 1, ...at, delta: 'x', note: SECRET },
      { type: 'response.output_text.done', sequence_number: 2, ...at, text: 'x' },
      { type: 'response.completed', sequence_number: 3, response: response(), note: SECRET },
    ])
    const text = await ask()
    expect(text).not.toContain(SECRET)
    expect(text).toContain('"delta":"x"')
  })

  it('drops it where the upstream reports an error', async () => {
    const failed = { error: { message: `Bad ${SECRET}`, code: 500 } }
    const { chat } = await open([chunk({ role: 'assistant', content: 'Hi, you. jane' }), failed])
    const text = await chat()
    expect(text).toContain('Bad [SECRET]')
    expect(text).not.toContain('jane')
  })
})

describe('a guarded stream of chat completions', () => {
  it.each([
    ['with one index', 0],
    ['without an index', undefined],
  ])('keeps calls apart that arrive whole %s', async (_, index) => {
    const calls = [call('call_a', '{"x":1}', index), call('call_b', '{"y":2}', index)]
    const finish = chunk({}, {}, 'tool_calls')
    const [first, second] = calls.map((one) => chunk({ tool_calls: [one] }))
    for (const events of [
      [first, second, finish],
      [chunk({ tool_calls: calls }), finish],
    ]) {
      const { chat } = await open(events.flatMap((event) => event ?? []))
      // In the order of the events, arguments belong to the last id before them.
      const args: Record<string, string> = {}
      let id = ''
      for (const { tool_calls: parts } of deltasOf(await chat())) {
        for (const part of Array.isArray(parts) ? parts : []) {
          id = part.id ?? id
          args[id] = (args[id] ?? '') + part.function.arguments
        }
      }
      expect(args).toEqual({ call_a: '{"x":1}', call_b: '{"y":2}' })
    }
  })

  it('masks arguments whose pieces repeat the id of their call', async () => {
    const pieces = [`{"k":"${SECRET.slice(0, 9)}`, `${SECRET.slice(9)}"}`]
    const { chat } = await open([
      ...pieces.map((piece) => chunk({ tool_calls: [call('call_a', piece, 0)] })),
      chunk({}, {}, 'tool_calls'),
    ])
    const text = await chat()
    expect(text).toContain('[SECRET]')
    expect(text).not.toContain('api03')
  })

  it('keeps each annotation whole, and masks it', async () => {
    const cite = (title: string, url: string) => ({
      type: 'url_citation',
      url_citation: { start_index: 0, end_index: 3, title, url },
    })
    const cited = [cite('News page', 'https://example.org/a'), cite(`Other ${SECRET}`, 'https://other.org/b')]
    const { chat } = await open([
      chunk({ role: 'assistant', content: 'Hello ' }),
      ...cited.map((one) => chunk({ annotations: [one] })),
      chunk({}, {}, 'stop'),
    ])
    const deltas = deltasOf(await chat())
    expect(deltas.flatMap(({ annotations }) => annotations ?? [])).toEqual([
      cite('News page', 'https://example.org/a'),
      cite('Other [SECRET]', 'https://other.org/b'),
    ])
  })
})

describe('a blocked answer', () => {
  const found = {
    search_results: [{ snippet: `Found ${SECRET}` }],
    citations: [SECRET],
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, note: SECRET },
  }
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }

  it('has none of the texts of a chat completion', async () => {
    const message = { role: 'assistant', content: 'Hello' }
    const choices = [{ index: 0, message, finish_reason: 'stop' }]
    const { chat } = await open(
      { id: 'c', object: 'chat.completion', created: 1, model: 'big', choices, ...found },
      'block',
    )
    const answer = JSON.parse(await chat())
    expect(answer).toEqual({
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: expect.any(String),
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: '', refusal: null },
          logprobs: null,
          finish_reason: 'content_filter',
        },
      ],
      usage,
    })
  })

  it('has none of the texts of a completion', async () => {
    const { completion: ask } = await open(completion('Hello', found, 'stop'), 'block')
    const answer = JSON.parse(await ask())
    expect(answer).toMatchObject({ id: 'c', choices: [{ text: '', finish_reason: 'content_filter' }], usage })
    expect(JSON.stringify(answer)).not.toContain(SECRET)
  })

  it('has none of the texts of a response, but what repeats its request', async () => {
    const { response: ask } = await open(response({ citations: [SECRET], temperature: 0.5 }), 'block')
    const answer = JSON.parse(await ask())
    expect(answer).toMatchObject({ object: 'response', status: 'incomplete', output: [], temperature: 0.5 })
    expect(JSON.stringify(answer)).not.toContain(SECRET)
  })
})

describe('a guarded response', () => {
  it('has masked members where no request has them', async () => {
    const { response: ask } = await open(response({ citations: [SECRET], instructions: 'Be kind.' }))
    const answer = JSON.parse(await ask())
    expect(answer).toMatchObject({ citations: ['[SECRET]'], instructions: 'Be kind.', status: 'completed' })
  })
})
