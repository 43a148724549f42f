import type { NewApiKey } from '@trivium/gateway-core'
import type { Dialect, JsonObject } from '@trivium/gateway-core/ports'
import { openAiProvider } from '@trivium/openai-provider'
import { describe, expect, it, vi } from 'vitest'
import { scripts } from './dialects/dialect-scripts.ts'
import { dialectUpstream } from './dialects/dialect-upstream.ts'
import { encodedAnswer, fakeProvider } from './fake-provider.ts'
import { type OpenGatewayOptions, openGateway } from './open-gateway.ts'
import { upstreamServer } from './upstream-server.ts'

const budget = (most: number): Partial<NewApiKey> =>
  JSON.parse(`{"budget":{"spend":{"most":${Math.round(most * 1e9)},"period":"total"}}}`)

/** A dollar for a million tokens. */
const prices = { 'up/*': { input: 1, output: 1 } }
const CONTEXT = 100_000

const limits = {
  chat: { max_completion_tokens: 100 },
  responses: { max_output_tokens: 100 },
  messages: { max_tokens: 100 },
} as const

/** A gateway with an upstream of one dialect, and keys with budgets. */
async function start(dialect: Dialect, contextLength?: number, options: OpenGatewayOptions = {}) {
  const { provider } = await dialectUpstream(dialect)
  const facts = contextLength === undefined ? {} : { modelFacts: { 'up/big': { contextLength } } }
  const open = openGateway({ providers: [provider], prices, bundledPrices: false, ...facts, ...options })
  const ask = async (body: JsonObject, dollars: number, front = dialect) => {
    const { secret } = await open.key(budget(dollars))
    const response = await open.send(scripts[front].path, {
      as: secret,
      body: { model: 'up/big', ...limits[front], ...body },
    })
    return { status: response.status, text: await response.text() }
  }
  return { open, ask }
}

const inChat = (...content: JsonObject[]) => ({ messages: [{ role: 'user', content }] })
const inInput = (...content: JsonObject[]) => ({ input: [{ role: 'user', content }] })

const PDF = 'data:application/pdf;base64,JVBERi0='

const hidden: readonly (readonly [Dialect, string, string, JsonObject])[] = [
  ['chat', 'a file by its id', 'messages[0].content[0]', inChat({ type: 'file', file: { file_id: 'file-1' } })],
  ['chat', 'a file by its bytes', 'messages[0].content[0]', inChat({ type: 'file', file: { file_data: PDF } })],
  ['chat', 'a video', 'messages[0].content[0]', inChat({ type: 'video_url', video_url: 'https://a.test/v' })],
  [
    'chat',
    'sound',
    'messages[0].content[1]',
    inChat({ type: 'text', text: 'Hi' }, { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }),
  ],
  ['chat', 'a document as an image', 'messages[0].content[0]', inChat({ type: 'image_url', image_url: { url: PDF } })],
  [
    'chat',
    'an earlier sound',
    'messages[1].audio',
    {
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', audio: { id: 'a' } },
        { role: 'user', content: 'Go' },
      ],
    },
  ],
  ['responses', 'a file by its id', 'input[0].content[0]', inInput({ type: 'input_file', file_id: 'file-1' })],
  [
    'responses',
    'a file by its address',
    'input[0].content[0]',
    inInput({ type: 'input_file', file_url: 'https://a.test' }),
  ],
  [
    'responses',
    'a file in the result of a tool',
    'input[1].output[0]',
    {
      input: [
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_file', file_id: 'file-1' }] },
      ],
    },
  ],
  [
    'messages',
    'a document by its address',
    'messages[0].content[0]',
    inChat({ type: 'document', source: { type: 'url', url: 'https://a.test/d.pdf' } }),
  ],
  [
    'messages',
    'a document by its id',
    'messages[0].content[0]',
    inChat({ type: 'document', source: { type: 'file', file_id: 'f' } }),
  ],
]

describe('content whose size a request does not show', () => {
  it.each(hidden)('a request to %s without a known context has no bound: %s', async (dialect, _, param, body) => {
    const { ask } = await start(dialect)
    const refused = await ask(body, 100)
    expect(refused.status).toBe(400)
    expect(refused.text).toContain(`What '${param}' costs`)
  })

  it.each(
    hidden,
  )('the whole context of the model is reserved for a request to %s: %s', async (dialect, _name, _param, body) => {
    const { ask } = await start(dialect, CONTEXT)
    const refused = await ask(body, 0.1)
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('may cost up to $0.1001')
    expect((await ask(body, 0.11)).status).toBe(200)
  })

  it('the dearest context of a route counts', async () => {
    const open = openGateway({
      providers: [fakeProvider({ models: ['small', 'large'] })],
      prices,
      modelFacts: { 'up/small': { contextLength: 1_000 }, 'up/large': { contextLength: CONTEXT } },
      models: { both: { targets: [{ model: 'up/small' }], fallbacks: ['up/large'] } },
    })
    const { secret } = await open.key(budget(0.05))
    const body = inChat({ type: 'file', file: { file_id: 'file-1' } })
    const refused = await open.chat(secret, { ...limits.chat, ...body, model: 'both' })
    expect((await refused.json()).error).toMatchObject({ code: 'cost_exceeds_limit' })
    expect((await open.chat(secret, { ...limits.chat, ...body, model: 'up/small' })).status).toBe(200)
  })

  it('a header that opens a million tokens reserves them', async () => {
    const { open } = await start('messages', CONTEXT)
    const { secret } = await open.key(budget(0.9))
    const response = await open.send('/v1/messages', {
      as: secret,
      body: {
        model: 'up/big',
        max_tokens: 100,
        ...inChat({ type: 'document', source: { type: 'url', url: 'https://a.test' } }),
      },
      headers: { 'anthropic-beta': 'context-1m-2025-08-07' },
    })
    expect(await response.text()).toContain('may cost up to $1.0001')
  })

  it('callers without a budget of money send it', async () => {
    const { open } = await start('chat')
    const { secret } = await open.key()
    expect((await open.chat(secret, inChat({ type: 'file', file: { file_id: 'file-1' } }))).status).toBe(200)
  })

  it('the text of a document counts by its bytes', async () => {
    const { ask } = await start('messages')
    const source = { type: 'text', media_type: 'text/plain', data: 'Words' }
    expect((await ask(inChat({ type: 'document', source }), 0.002)).status).toBe(200)
  })
})

describe('images', () => {
  const image = (url: string) => inChat({ type: 'image_url', image_url: { url, detail: 'high' } })

  it.each([
    ['gpt-4o-mini', 48_169],
    ['gpt-5', 25_000],
    ['claude-opus-4-5', 5_000],
    ['unknown', 48_169],
  ])('count for %s as %i tokens, regardless of their bytes', async (model, tokens) => {
    const open = openGateway({ providers: [fakeProvider({ models: [model] })], prices })
    const { secret } = await open.key(budget(0.001))
    for (const url of ['https://a.test/i.png', `data:image/png;base64,${'A'.repeat(100_000)}`]) {
      const refused = await open.chat(secret, { ...limits.chat, ...image(url), model: `up/${model}` })
      const cost = Number(/up to \$(0\.\d+)/.exec(await refused.text())?.[1])
      expect(cost).toBeGreaterThan(tokens / 1e6)
      expect(cost).toBeLessThan(tokens / 1e6 + 0.001)
    }
  })
})

const search = { type: 'web_search' }

describe('tools that an upstream executes', () => {
  it.each([
    ['responses', 'tools[0]', { tools: [{ type: 'file_search', vector_store_ids: ['v'] }], max_tool_calls: 1 }],
    ['responses', 'tools[0]', { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }],
    ['responses', 'tools[0]', { tools: [{ type: 'image_generation' }] }],
    ['responses', 'tools[0]', { tools: [search] }],
    ['responses', 'tools[0]', { tools: [{ type: 'mcp', server_label: 'a', server_url: 'https://a.test' }] }],
    ['responses', 'prompt', { prompt: { id: 'pmpt_1' } }],
    ['messages', 'tools[0]', { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] }],
    ['messages', 'tools[0]', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    ['chat', 'plugins', { plugins: [{ id: 'web' }] }],
    ['chat', 'search_parameters', { search_parameters: { mode: 'on' } }],
    ['chat', 'service_tier', { service_tier: 'scale' }],
    ['messages', 'speed', { speed: 'fast' }],
    ['messages', 'context_management', { context_management: { edits: [{ type: 'compact_20260112' }] } }],
  ] as const)('a request to %s is refused at %s: %j', async (dialect, param, fields) => {
    const { ask } = await start(dialect, CONTEXT)
    const body = dialect === 'responses' ? { input: 'Hi' } : { messages: [{ role: 'user', content: 'Hi' }] }
    const refused = await ask({ ...body, ...fields }, 100)
    expect(refused.status).toBe(400)
    expect(refused.text).toContain(`What '${param}' costs`)
  })

  it.each([
    // Two rounds of the context and the output.
    ['responses', { tools: [search], max_tool_calls: 1, input: 'Hi' }, '0.2002'],
    [
      'responses',
      {
        tools: [{ type: 'mcp', server_label: 'a', server_url: 'https://a.test' }],
        max_tool_calls: 4,
        input: 'Hi',
      },
      '0.5005',
    ],
    // Anthropic ends a turn after 10 rounds.
    [
      'messages',
      {
        tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 2 }],
        messages: [{ role: 'user', content: 'Hi' }],
      },
      '1.1011',
    ],
    [
      'messages',
      {
        tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }],
        messages: [{ role: 'user', content: 'Hi' }],
      },
      '1.1011',
    ],
  ] as const)('each round is reserved for a request to %s: %j', async (dialect, body, cost) => {
    const { ask } = await start(dialect, CONTEXT)
    expect((await ask(body, 0.001)).text).toContain(`may cost up to $${cost}`)
  })

  it('searches of each turn that the gateway continues are reserved', async () => {
    const dear = { 'up/*': { input: 1, output: 1, search: 1 } }
    const { ask } = await start('messages', CONTEXT, { prices: dear })
    const body = { tools: [search], max_tool_calls: 2, input: 'Hi' }
    // 6 turns of 11 rounds, each with at most 2 searches.
    expect((await ask(body, 0.001, 'responses')).text).toContain('may cost up to $18.6066')
  })
})

describe('the limit of output', () => {
  it('the larger one of two counts', async () => {
    const { ask } = await start('chat')
    const body = { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1_000_000, max_completion_tokens: 10 }
    expect((await ask(body, 0.5)).text).toContain('may cost up to $1.000')
  })

  it.each([
    ['responses', 'max_tokens', { input: 'Hi', max_tokens: 1_000_000 }],
    ['chat', 'best_of', { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 10_000, best_of: 100 }],
    ['chat', 'models', { messages: [{ role: 'user', content: 'Hi' }], models: ['dearer/model'] }],
  ] as const)('a request to %s cannot have %s, which some upstreams read', async (dialect, param, body) => {
    const { ask } = await start(dialect)
    const refused = await ask(body, 0.5)
    expect(refused.status).toBe(400)
    expect(JSON.parse(refused.text).error).toMatchObject({ param })
  })

  it.each([
    [{ max_tokens: null }, { max_tokens: expect.any(Number) }],
    [{ max_tokens: null, max_completion_tokens: null }, { max_tokens: expect.any(Number) }],
    [{}, { max_tokens: expect.any(Number) }],
    [{ max_completion_tokens: 10 }, { max_tokens: 10 }],
    [{ max_tokens: 10 }, { max_tokens: 10 }],
    [
      { max_tokens: 10, max_completion_tokens: 20 },
      { max_tokens: 10, max_completion_tokens: 20 },
    ],
  ])('the upstream gets a name that it obeys: %j', async (limit, expected) => {
    const seen: JsonObject[] = []
    const server = await upstreamServer(({ body }, response) => {
      seen.push(JSON.parse(body))
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(scripts.chat.answer))
    })
    const provider = openAiProvider({ id: 'up', baseUrl: `${server.origin}/v1`, models: ['big'] })
    const open = openGateway({ providers: [provider], prices })
    const { secret } = await open.key(budget(0.5))
    expect((await open.chat(secret, limit)).status).toBe(200)
    expect(seen[0]).toMatchObject(expected)
    const names = Object.keys(seen[0] ?? {}).filter((name) => name.startsWith('max_'))
    for (const name of names) expect(seen[0]?.[name]).toEqual(expect.any(Number))
  })

  it('callers without a budget of money keep their own name', async () => {
    const up = fakeProvider()
    const open = openGateway({
      providers: [{ ...up, ...(up.chat && { chat: { ...up.chat, outputLimit: 'max_tokens' } }) }],
    })
    const { secret } = await open.key()
    await open.chat(secret, { max_completion_tokens: 10 })
    expect(JSON.parse(up.calls[0]?.sent ?? '{}')).toMatchObject({ max_completion_tokens: 10 })
  })

  it('a text completion, which some servers write without an end, gets one', async () => {
    const seen: JsonObject[] = []
    const server = await upstreamServer(({ body }, response) => {
      seen.push(JSON.parse(body))
      const choices = [{ index: 0, text: 'Hi', finish_reason: 'stop' }]
      const answer = { id: 'c', object: 'text_completion', created: 1, model: 'big', choices }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
    const provider = openAiProvider({ id: 'up', baseUrl: `${server.origin}/v1`, models: ['big'] })
    const open = openGateway({ providers: [provider], prices })
    const body = { model: 'up/big', prompt: 'Hi' }
    for (const options of [budget(0.5), {}]) {
      const { secret } = await open.key(options)
      expect((await open.send('/v1/completions', { as: secret, body })).status).toBe(200)
    }
    expect(seen.map(({ max_tokens: most }) => most)).toEqual([16, undefined])
  })
})

describe('a service tier', () => {
  it('reserves its factor, which counts where the upstream reports it', async () => {
    const answer = { ...JSON.parse(JSON.stringify(encodedAnswer().completion)), service_tier: 'priority' }
    const up = fakeProvider({ complete: () => encodedAnswer(JSON.stringify(answer)) })
    const open = openGateway({ providers: [up], prices: { 'up/*': { input: 1, output: 1, priority: 2 } } })
    const { secret } = await open.key(budget(0.001))
    const tiered = await open.chat(secret, { max_tokens: 400, service_tier: 'priority' })
    expect(await tiered.text()).toContain('may cost up to $0.002')
    const { secret: rich } = await open.key(budget(0.01))
    const costs = await open.chat(rich, { max_tokens: 400, service_tier: 'priority' })
    expect(costs.headers.get('x-trivium-cost')).toBe('0.000022')
  })
})

describe('the advice of a refusal', () => {
  it('names what makes images and speech cheaper', async () => {
    const png = { bytes: new Uint8Array([137, 80, 78, 71]), contentType: 'image/png' } as const
    const provider = fakeProvider({
      models: async () => [{ id: 'dall-e-3', kind: 'image', ownedBy: 'up', created: 0 }],
      images: { generate: async () => ({ images: [png] }) },
    })
    const open = openGateway({ providers: [provider] })
    const { secret } = await open.key(budget(0.05))
    const body = { model: 'up/dall-e-3', prompt: 'A hill' }
    const ask = (more: object) => open.send('/v1/images/generations', { as: secret, body: { ...body, ...more } })
    const refused = await (await ask({ quality: 'hd', size: '1024x1792' })).json()
    expect(refused.error.message).toMatch(/up to \$0\.12\. .*Lower 'n', or choose a lower 'quality'/)
    expect((await (await ask({ quality: 'auto' })).json()).error.message).toContain('$0.12')
    expect((await ask({})).status).toBe(200)
  })
})

describe('the cost of an answer of the cache', () => {
  it('the header and, on request, the stream have a cost of 0', async () => {
    const open = openGateway({ prices, answerCache: {} })
    const { secret } = await open.key()
    expect((await open.chat(secret)).headers.get('x-trivium-cost')).toBe('0.000011')
    await vi.waitFor(async () => {
      const hit = await open.chat(secret)
      expect([hit.headers.get('x-trivium-cache'), hit.headers.get('x-trivium-cost')]).toEqual(['hit', '0'])
    })
    const more = { stream: true, stream_options: { include_usage: true } }
    const streamed = await open.chat(secret, more, { headers: { 'x-trivium-include-cost': 'true' } })
    expect(await streamed.text()).toContain('"cost":0')
    expect(await (await open.chat(secret, more)).text()).not.toContain('"cost"')
  })
})

describe('prices', () => {
  it.each(['x', 'x/*', 'up', 'up/', 'x*'])('refuse the name %j, which no model has', (name) => {
    expect(() => openGateway({ prices: { [name]: { input: 1 } } })).toThrow(`'prices.${name}'`)
  })

  it.each(['*', 'u*', 'up/*', 'up/big', 'up/a/b*'])('take the name %j', (name) => {
    expect(() => openGateway({ prices: { [name]: { input: 1 } } })).not.toThrow()
  })
})
