import type { ServerResponse } from 'node:http'
import type { DialectStream } from '@trivium/gateway-core/ports'
import { describe, expect, it, onTestFinished } from 'vitest'
import { context, failureOf, latch } from '../../gateway-core/tests/provider-calls.ts'
import { type SeenRequest, upstreamServer } from '../../gateway-core/tests/upstream-server.ts'
import { dialectRequest, errorFixtures, eventStream, events, message } from '../tests/fixtures.ts'
import { type AnthropicProviderOptions, anthropicProvider } from './anthropic-provider.ts'

async function providerWith(
  answer: (request: SeenRequest, response: ServerResponse) => void,
  options: Partial<AnthropicProviderOptions> = {},
) {
  const server = await upstreamServer(answer)
  const provider = anthropicProvider({ baseUrl: server.origin, apiKey: 'sk-ant-secret', ...options })
  onTestFinished(() => provider.close?.())
  const { messages } = provider
  if (!messages?.countTokens) throw new Error('It has no messages')
  return { ...server, provider, messages, countTokens: messages.countTokens }
}

const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}) =>
  (_: SeenRequest, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof value === 'string' ? value : JSON.stringify(value))
  }

/** Reads the bytes of a stream to its end. */
const bytesOf = (stream: DialectStream): Promise<string> =>
  new Promise((resolve, reject) => {
    if (stream.kind !== 'encoded') throw new Error(`It is ${stream.kind}`)
    const chunks: Uint8Array[] = []
    stream.start({
      data: (bytes) => chunks.push(bytes) > 0,
      end: () => resolve(Buffer.concat(chunks).toString()),
      failed: (error) => reject(new Error(error.type)),
    })
  })

const sentTo = ({ seen }: { readonly seen: readonly SeenRequest[] }): unknown => JSON.parse(seen.at(-1)?.body ?? '')

describe('an answer of anthropicProvider', () => {
  it('passes the request and the answer as they are', async () => {
    const up = await providerWith(json(message, 200, { 'request-id': 'req_1' }))
    const answer = await up.messages.complete(dialectRequest({ new_field: [1] }), context())
    expect(answer.value).toEqual(message)
    expect(new TextDecoder().decode(answer.bytes)).toBe(JSON.stringify(message))
    expect(answer.headers).toMatchObject({ 'request-id': 'req_1' })
    expect(sentTo(up)).toEqual({ ...dialectRequest({ new_field: [1] }).body, model: 'claude-example' })
    expect(up.seen[0]).toMatchObject({
      method: 'POST',
      path: '/v1/messages',
      headers: {
        'x-api-key': 'sk-ant-secret',
        'anthropic-version': '2023-06-01',
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        'x-request-id': 'request-1',
      },
    })
    expect(up.provider.chat).toBeUndefined()
  })

  it('sends the credentials of the host, and not those of the client', async () => {
    const { messages, seen } = await providerWith(json(message), { headers: { Authorization: 'Bearer own' } })
    const headers = { authorization: 'Bearer tvm_1', 'x-api-key': 'theirs', cookie: 'a=b' }
    await messages.complete(dialectRequest({}, headers), { ...context(), headers })
    expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer own', 'x-api-key': 'sk-ant-secret' })
    expect(seen[0]?.headers).not.toHaveProperty('cookie')
  })

  it('joins the betas of the host and of the client', async () => {
    const { messages, seen } = await providerWith(json(message), {
      headers: { 'Anthropic-Beta': 'host-1, both', 'x-own': 'host' },
    })
    const client = { 'anthropic-beta': 'both,client-1', 'anthropic-version': '2024-01-01', 'x-own': 'client' }
    await messages.complete(dialectRequest({}, client), context())
    expect(seen[0]?.headers).toMatchObject({
      'anthropic-beta': 'host-1,both,client-1',
      'anthropic-version': '2024-01-01',
      'x-own': 'host',
    })
  })

  it('sends no thinking that another upstream signed', async () => {
    const up = await providerWith(json(message))
    const own = { type: 'thinking', thinking: 'a', signature: 'sig' }
    const text = { type: 'text', text: 'b' }
    const content = [
      own,
      { type: 'thinking', thinking: 'x', signature: 'trivium.e30=' },
      { type: 'thinking', thinking: 'y', signature: '' },
      text,
    ]
    await up.messages.complete(dialectRequest({ messages: [{ role: 'assistant', content }] }), context())
    expect(sentTo(up)).toMatchObject({ messages: [{ role: 'assistant', content: [own, text] }] })
  })

  it.each(['', '[]', '{"type":"message"}', '<html>', '{"content":['])('fails as malformed for %j', async (text) => {
    const { messages } = await providerWith(json(text))
    expect(await failureOf(messages.complete(dialectRequest(), context()))).toMatchObject({ type: 'malformed' })
    expect(await failureOf(messages.stream(dialectRequest(), context()))).toMatchObject({ type: 'malformed' })
  })

  it('fails as malformed for a compressed answer or a redirect', async () => {
    const compressed = await providerWith(json('...', 200, { 'content-encoding': 'br' }))
    expect(await failureOf(compressed.messages.complete(dialectRequest(), context()))).toMatchObject({
      type: 'malformed',
    })
    const moved = await providerWith(json('', 307, { location: `${compressed.origin}/v1/messages` }))
    expect(await failureOf(moved.messages.complete(dialectRequest(), context()))).toMatchObject({ type: 'malformed' })
    expect(compressed.seen).toHaveLength(1)
  })
})

describe('a refusal to anthropicProvider', () => {
  it.each(errorFixtures)('keeps the fields of the recorded error $type', async (error) => {
    const { type, status, message: words, retryable } = error
    const answer = { type: 'error', error: { type, message: words } }
    const { messages } = await providerWith(json(answer, status, { 'retry-after': '3' }))
    const said = status === 401 || status === 403 ? 'The upstream refused the credentials of the gateway.' : words
    for (const call of ['complete', 'stream'] as const) {
      expect(await failureOf(messages[call](dialectRequest(), context()))).toEqual({
        type: 'refused',
        status,
        upstreamType: type,
        message: said,
        retryable,
        beforeFirstByte: true,
        retryAfterSeconds: 3,
      })
    }
  })

  it('has the code of a full context for a prompt that is too long', async () => {
    const error = { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' }
    const { messages } = await providerWith(json({ type: 'error', error }, 400))
    expect(await failureOf(messages.complete(dialectRequest(), context()))).toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
    })
  })

  it.each([503, 529])('keeps status %i', async (status) => {
    const { messages } = await providerWith(json('', status))
    expect(await failureOf(messages.stream(dialectRequest(), context()))).toMatchObject({ status })
  })

  it.each(['<html>', '', '{"error":"no"}'])('keeps its status with the body %j', async (text) => {
    const { messages } = await providerWith(json(text, 502))
    expect(await failureOf(messages.complete(dialectRequest(), context()))).toMatchObject({
      status: 502,
      message: 'The upstream answered with status 502.',
    })
  })

  it('loses the API key that it repeats', async () => {
    const { messages } = await providerWith(json({ error: { message: 'Key sk-ant-secret is old' } }, 400))
    expect(await failureOf(messages.complete(dialectRequest(), context()))).toMatchObject({
      message: 'Key *** is old',
    })
  })

  it.each([
    ['authorization', 'Bearer s3cret'],
    ['X-Api-Key', 's3cret'],
    ['Api-Key', 's3cret'],
  ])('loses credentials of the host that it repeats (%s)', async (name, value) => {
    const { messages } = await providerWith(json({ error: { message: 'Key s3cret is old' } }, 400), {
      headers: { [name]: value },
    })
    expect(await failureOf(messages.complete(dialectRequest(), context()))).toMatchObject({
      message: 'Key *** is old',
    })
  })

  it('keeps its message if the API key is empty', async () => {
    const { messages } = await providerWith(json({ error: { message: 'No key' } }, 400), { apiKey: '' })
    expect(await failureOf(messages.complete(dialectRequest(), context()))).toMatchObject({ message: 'No key' })
  })

  it('stops the upstream when its body is endless', async () => {
    const closed = latch<void>()
    const { messages } = await providerWith((_, response) => {
      response.writeHead(500)
      response.on('close', () => closed.resolve())
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      }
      response.on('drain', more)
      more()
    })
    expect(await failureOf(messages.complete(dialectRequest(), context()))).toMatchObject({ status: 500 })
    await closed.promise
  })
})

describe('a stream of anthropicProvider', () => {
  const sent = eventStream(events)

  it('has the bytes of the upstream, and its secrets', async () => {
    const { messages, seen } = await providerWith((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': 'req_2' })
      response.end(sent)
    })
    const stream = await messages.stream(dialectRequest({ stream: true }), context())
    expect(stream).toMatchObject({ secrets: ['sk-ant-secret'], headers: { 'request-id': 'req_2' } })
    expect(await bytesOf(stream)).toBe(sent)
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ stream: true })
  })

  it('becomes a whole message when the upstream sends one', async () => {
    const { messages } = await providerWith(json(message))
    expect(await messages.stream(dialectRequest(), context())).toMatchObject({ kind: 'whole', value: message })
  })

  it('fails as interrupted after a reset', async () => {
    const { messages } = await providerWith((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(sent.slice(0, 100), () => setImmediate(() => response.socket?.resetAndDestroy()))
    })
    await expect(bytesOf(await messages.stream(dialectRequest(), context()))).rejects.toThrow('interrupted')
  })

  it('closes the connection to a silent upstream when it is cancelled', async () => {
    const closed = latch<void>()
    const first = latch<void>()
    const { messages } = await providerWith((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.on('close', () => closed.resolve())
      response.write(eventStream(events.slice(0, 1)))
    })
    const stream = await messages.stream(dialectRequest(), context())
    if (stream.kind !== 'encoded') throw new Error(`It is ${stream.kind}`)
    const source = stream.start({
      data: () => {
        first.resolve()
        return true
      },
      end: () => {},
      failed: () => {},
    })
    await first.promise
    source.cancel()
    await closed.promise
  })

  it('keeps its connection for the next request', async () => {
    const { messages, connections } = await providerWith((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(sent)
    })
    for (let round = 0; round < 5; round++) await bytesOf(await messages.stream(dialectRequest(), context()))
    expect(await connections()).toBeLessThanOrEqual(2)
  })
})

describe('a count of tokens by anthropicProvider', () => {
  it('comes from the upstream, which gets no fields about the answer', async () => {
    const up = await providerWith(json({ input_tokens: 14 }))
    const counted = await up.countTokens(dialectRequest({ stream: true, temperature: 1, tools: [] }), context())
    expect(counted.value).toEqual({ input_tokens: 14 })
    expect(up.seen[0]?.path).toBe('/v1/messages/count_tokens')
    expect(sentTo(up)).toEqual({ model: 'claude-example', messages: [{ role: 'user', content: 'Hi' }], tools: [] })
  })

  it.each(['{}', '[]', '', '{"input_tokens":"7"}'])('fails as malformed for %j', async (text) => {
    const { countTokens } = await providerWith(json(text))
    expect(await failureOf(countTokens(dialectRequest(), context()))).toMatchObject({ type: 'malformed' })
  })
})

describe('the target of translations to anthropicProvider', () => {
  it.each([
    ['claude-sonnet-4-5-20250929', 'budget'],
    ['claude-3-7-sonnet-latest', 'budget'],
    ['us.anthropic.claude-opus-4-20250514-v1:0', 'budget'],
    ['claude-opus-4-6', 'adaptive'],
    ['claude-opus-4-7', 'adaptive'],
    ['claude-haiku-5-5', 'adaptive'],
    ['claude-next', 'adaptive'],
  ])('has %s reason by: %s', (model, reasoning) => {
    const target = anthropicProvider().messages?.translationTarget?.(model)
    expect(target).toEqual({ reasoning, defaultMaxTokens: 8192, cacheBreakpoints: false })
  })

  it('has what the host sets', () => {
    const options = { reasoning: 'budget', defaultMaxTokens: 7, cacheBreakpoints: true } as const
    expect(anthropicProvider(options).messages?.translationTarget?.('claude-opus-5')).toEqual(options)
  })
})

describe('the models of anthropicProvider', () => {
  it('come from all pages of the upstream', async () => {
    const { provider, seen } = await providerWith((request, response) => {
      const second = request.path.includes('after_id=claude-a')
      json({
        data: second
          ? [{ type: 'model', id: 'claude-b', created_at: 'nonsense' }, {}]
          : [{ type: 'model', id: 'claude-a', display_name: 'A', created_at: '2025-02-19T00:00:00Z' }],
        has_more: !second,
        last_id: second ? 'claude-b' : 'claude-a',
      })(request, response)
    })
    expect(await provider.models(context())).toEqual([
      { id: 'claude-a', kind: 'chat', ownedBy: 'anthropic', displayName: 'A', created: 1_739_923_200 },
      { id: 'claude-b', kind: 'chat', ownedBy: 'anthropic', created: 0 },
    ])
    expect(seen.map(({ path }) => path)).toEqual(['/v1/models?limit=1000', '/v1/models?limit=1000&after_id=claude-a'])
  })

  it('come from at most 10 pages', async () => {
    const { provider, seen } = await providerWith(json({ data: [{ id: 'm' }], has_more: true, last_id: 'm' }))
    await provider.models(context())
    expect(seen).toHaveLength(10)
  })

  it('fail when the upstream refuses or sends an invalid list', async () => {
    const refusing = await providerWith(json({ error: { message: 'No' } }, 503))
    expect(await failureOf(refusing.provider.models(context()))).toMatchObject({ type: 'refused', status: 503 })
    const strange = await providerWith(json({}))
    expect(await failureOf(strange.provider.models(context()))).toMatchObject({ type: 'malformed' })
  })

  it('come from the host if it sets them', async () => {
    const provider = anthropicProvider({ models: ['claude-x'] })
    expect(await provider.models(context())).toEqual([
      { id: 'claude-x', kind: 'chat', ownedBy: 'anthropic', created: 0 },
    ])
  })
})

it('anthropicProvider throws for a base URL that is not HTTP', () => {
  expect(() => anthropicProvider({ baseUrl: 'ws://example.com' })).toThrow(TypeError)
})
