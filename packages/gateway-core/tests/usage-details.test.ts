import type { ServerResponse } from 'node:http'
import type { Price } from '@trivium/gateway-core'
import type { Dialect, JsonObject } from '@trivium/gateway-core/ports'
import { describe, expect, it } from 'vitest'
import { scripts } from './dialects/dialect-scripts.ts'
import { dialectUpstream } from './dialects/dialect-upstream.ts'
import { type OpenGatewayOptions, openGateway, settled } from './open-gateway.ts'
import { pagesEngine, searchFor, searchingModel } from './searching-model.ts'
import type { SeenRequest } from './upstream-server.ts'

const dialects: readonly Dialect[] = ['chat', 'responses', 'messages']
const pairs = dialects.flatMap((client) => dialects.map((upstream) => [client, upstream] as const))

const openAiDetails = {
  input: { cached_tokens: 30, cache_write_tokens: 20, audio_tokens: 5 },
  output: { reasoning_tokens: 10, audio_tokens: 7 },
}

/** The same counts as each dialect reports them. */
const usages: Readonly<Record<Dialect, JsonObject>> = {
  chat: {
    prompt_tokens: 150,
    completion_tokens: 50,
    prompt_tokens_details: openAiDetails.input,
    completion_tokens_details: openAiDetails.output,
    server_tool_use: { web_search_requests: 2 },
  },
  responses: {
    input_tokens: 150,
    output_tokens: 50,
    input_tokens_details: openAiDetails.input,
    output_tokens_details: openAiDetails.output,
  },
  messages: {
    input_tokens: 100,
    cache_read_input_tokens: 30,
    cache_creation_input_tokens: 20,
    output_tokens: 50,
    output_tokens_details: { thinking_tokens: 10 },
    server_tool_use: { web_search_requests: 2 },
  },
}

const searches = [1, 2].map((index) => ({ type: 'web_search_call', id: `ws_${index}`, status: 'completed' }))

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Replaces the usage of an answer or an event. */
function counted(dialect: Dialect, value: JsonObject): JsonObject {
  const { usage, output, response, message, type } = value
  return {
    ...value,
    ...(isObject(usage) && { usage: usages[dialect] }),
    ...(Array.isArray(output) && { output: [...searches, ...output] }),
    ...(isObject(response) && type === 'response.completed' && { response: counted(dialect, response) }),
    ...(isObject(message) && { message: counted(dialect, message) }),
  }
}

const answering =
  (dialect: Dialect) =>
  ({ body }: SeenRequest, response: ServerResponse): void => {
    const { answer, events } = scripts[dialect]
    const isStream = JSON.parse(body).stream === true
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
    if (!isStream) response.end(JSON.stringify(counted(dialect, answer)))
    else {
      const texts = events.map((event) =>
        event.replace(/^data: (\{.*\})$/m, (_, json) => `data: ${JSON.stringify(counted(dialect, JSON.parse(json)))}`),
      )
      response.end(texts.join(''))
    }
  }

const paths = { chat: '/v1/chat/completions', responses: '/v1/responses', messages: '/v1/messages' } as const

const price: Price = { input: 1, cachedInput: 0.1, cacheWrite: '1.25', output: 10, reasoning: 20, search: '0.01' }

async function start(client: Dialect, upstream: Dialect, options: OpenGatewayOptions = {}) {
  const { provider } = await dialectUpstream(upstream, answering(upstream))
  const open = openGateway({ providers: [provider], prices: { 'up/*': price }, bundledPrices: false, ...options })
  const { secret, key } = await open.key()
  const ask = async (more: object = {}, headers: Readonly<Record<string, string>> = {}) => {
    const body = { model: 'up/big', ...scripts[client].request, ...more }
    const response = await open.send(paths[client], { as: secret, body, headers })
    const text = await response.text()
    await settled()
    return { response, text }
  }
  return { open, key, ask }
}

const parts = { inputTokens: 150, outputTokens: 50, cachedTokens: 30, cacheWriteTokens: 20, reasoningTokens: 10 }
/** 100 tokens of input, 30 cached, 20 written, 40 of output and 10 of reasoning. */
const TOKENS = 100_000 + 3_000 + 25_000 + 400_000 + 200_000
const SEARCHES = 20_000_000

describe('the usage record', () => {
  it.each(
    pairs,
  )('has the details of an answer to %s by an upstream of %s, whole and streamed', async (client, upstream) => {
    const { open, key, ask } = await start(client, upstream)
    await ask()
    await ask({ stream: true, ...(client === 'chat' && { stream_options: { include_usage: true } }) })
    expect(open.records).toHaveLength(2)
    for (const record of open.records) {
      expect(record).toMatchObject({ ...parts, status: 200, estimated: false })
      expect(record).toMatchObject({ keyId: key.id, personId: key.userId, provider: 'up', upstreamModel: 'big' })
      expect(record).not.toHaveProperty('endUser')
      if (client === upstream) expect(record).toMatchObject({ searches: 2, cost: TOKENS + SEARCHES })
      if (client === upstream && client !== 'messages')
        expect(record).toMatchObject({ audioInputTokens: 5, audioOutputTokens: 7 })
    }
  })

  it('has the searches of the gateway, whose engine the model does not charge', async () => {
    const model = searchingModel((round) =>
      round === 1 ? { calls: [searchFor('a'), searchFor('b')] } : { text: 'Yes' },
    )
    const open = openGateway({ providers: [model], searchEngines: [pagesEngine()], prices: { 'up/big': price } })
    const { secret } = await open.key()
    const body = { model: 'up/big', input: 'How?', tools: [{ type: 'web_search' }] }
    for (const stream of [false, true]) {
      await (await open.send('/v1/responses', { as: secret, body: { ...body, stream } })).text()
    }
    await settled()
    const chats = open.records.filter(({ operation }) => operation === 'chat')
    expect(chats[0]).toMatchObject({ searches: 2, inputTokens: 20, outputTokens: 10, cost: 20_000 + 100_000 })
  })

  it('names the end user of the client only where the host asks for it', async () => {
    const names = [
      ['chat', { user: 'eve' }],
      ['responses', { safety_identifier: 'eve', user: 'other' }],
      ['messages', { metadata: { user_id: 'eve' } }],
    ] as const
    for (const [dialect, more] of names) {
      const { open, ask } = await start(dialect, dialect, { usage: { endUsers: true } })
      await ask(more)
      expect(open.records).toMatchObject([{ endUser: 'eve' }])
    }
    const { open, ask } = await start('chat', 'chat')
    await ask({ user: 'eve' })
    expect(open.records[0]).not.toHaveProperty('endUser')
  })

  it('has no part that is larger than what it belongs to', async () => {
    const { provider } = await dialectUpstream('chat', (_, response) => {
      const usage = { prompt_tokens: 5, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 9 } }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ ...scripts.chat.answer, usage }))
    })
    const open = openGateway({ providers: [provider], prices: { 'up/big': { input: 1, cachedInput: 0.5 } } })
    const { secret } = await open.key()
    await open.chat(secret)
    expect(open.records).toMatchObject([{ inputTokens: 5, cachedTokens: 5, cost: 2_500 }])
  })
})

describe('the cost', () => {
  it.each(dialects)('has what is written to the cache for an hour, for a client of %s', async (client) => {
    const { provider } = await dialectUpstream('messages', ({ body }, response) => {
      const usage = {
        input_tokens: 100,
        cache_creation_input_tokens: 50,
        cache_read_input_tokens: 0,
        output_tokens: 0,
        cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 40 },
      }
      const isStream = JSON.parse(body).stream === true
      response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
      const { answer, events } = scripts.messages
      if (!isStream) response.end(JSON.stringify({ ...answer, usage }))
      else {
        const counted = (text: string) => {
          const event = JSON.parse(text)
          if (event.message) return { ...event, message: { ...event.message, usage } }
          return event.usage ? { ...event, usage: { output_tokens: 0 } } : event
        }
        response.end(events.join('').replace(/^data: (.*)$/gm, (_, text) => `data: ${JSON.stringify(counted(text))}`))
      }
    })
    const prices = { 'up/*': { input: 1, cacheWrite: 2, cacheWriteHour: 4 } }
    const open = openGateway({ providers: [provider], prices })
    const { secret } = await open.key()
    const body = { model: 'up/big', ...scripts[client].request }
    for (const stream of [false, true]) {
      await (await open.send(paths[client], { as: secret, body: { ...body, stream } })).text()
    }
    await settled()
    // 100 of input, 10 for 5 minutes and 40 for an hour.
    expect(open.records.map(({ cost }) => cost)).toEqual([280_000, 280_000])
  })

  it('has no searches where a page was opened or read', async () => {
    const { provider } = await dialectUpstream('responses', (_, response) => {
      const calls = ['search', 'open_page', 'find_in_page'].map((type, index) => ({
        type: 'web_search_call',
        id: `ws_${index}`,
        status: 'completed',
        action: { type },
      }))
      const { answer } = scripts.responses
      const output = [...calls, ...(Array.isArray(answer.output) ? answer.output : [])]
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...answer, output }))
    })
    const open = openGateway({ providers: [provider], prices: { 'up/big': { search: 1 } } })
    const { secret } = await open.key()
    await open.send('/v1/responses', { as: secret, body: { model: 'up/big', ...scripts.responses.request } })
    expect(open.records).toMatchObject([{ searches: 1, cost: 1_000_000_000 }])
  })

  it.each(dialects)('has a header in a whole answer to %s, and not in a stream', async (dialect) => {
    const { ask } = await start(dialect, dialect)
    expect((await ask()).response.headers.get('x-trivium-cost')).toBe('0.020728')
    expect((await ask({ stream: true })).response.headers.get('x-trivium-cost')).toBeNull()
  })

  it.each(
    pairs,
  )('comes with the last usage of a stream to %s by an upstream of %s on request only', async (client, upstream) => {
    const { open, ask } = await start(client, upstream)
    const more = { stream: true, ...(client === 'chat' && { stream_options: { include_usage: true } }) }
    const plain = await ask(more)
    expect(plain.text).not.toContain('"cost"')
    const costed = await ask(more, { 'x-trivium-include-cost': '1' })
    const costs = [...costed.text.matchAll(/"cost":([0-9.e-]+)/g)].map(([, cost]) => Number(cost))
    const record = open.records.at(-1)
    expect(costs).toEqual([Number(record?.cost) / 1e9])
    expect(costs[0]).toBeGreaterThan(0)
  })

  it('stays out of answers where no price is known, or the host does not show it', async () => {
    const include = { 'x-trivium-include-cost': '1' }
    const more = { stream: true, stream_options: { include_usage: true } }
    for (const options of [{ prices: {} }, { showCost: false }]) {
      const { open, ask } = await start('chat', 'chat', options)
      expect((await ask()).response.headers.get('x-trivium-cost')).toBeNull()
      expect((await ask(more, include)).text).not.toContain('"cost"')
      const hasPrice = 'showCost' in options
      for (const record of open.records) expect('cost' in record).toBe(hasPrice)
    }
  })

  it('stays 0 for a request that fails before its answer', async () => {
    const { provider } = await dialectUpstream('chat', (_, response) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"No"}}')
    })
    const open = openGateway({ providers: [provider], prices: { 'up/big': { ...price, request: 1 } } })
    const { secret } = await open.key()
    const response = await open.chat(secret)
    expect([response.status, response.headers.get('x-trivium-cost')]).toEqual([400, null])
    expect(open.records).toMatchObject([{ status: 400, cost: 0, upstreamModel: 'big' }])
  })

  it('refuses wrong prices when the gateway is created', () => {
    expect(() => openGateway({ prices: { 'up/*': { input: '1.0000000001' } } })).toThrow(/prices\.up\/\*\.input/)
  })
})
