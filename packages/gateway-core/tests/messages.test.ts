import { isForwardableHeader } from '@trivium/gateway-core'
import { ProviderFailure } from '@trivium/gateway-core/ports'
import { describe, expect, it } from 'vitest'
import { dialects, scripts } from './dialects/dialect-scripts.ts'
import { answering, dialectUpstream, streaming } from './dialects/dialect-upstream.ts'
import { fakeProvider } from './fake-provider.ts'
import { ADMIN, expectMessageFailure, openGateway, settled } from './open-gateway.ts'

const body = { model: 'up/big', ...scripts.messages.request }

describe('errors of messages', () => {
  it.each([
    ['no body', '', 400, 'invalid_request_error'],
    ['malformed JSON', '{', 400, 'invalid_request_error'],
    ['a missing field', { model: 'up/big' }, 400, 'invalid_request_error'],
    ['an unknown model', { ...body, model: 'up/none' }, 404, 'not_found_error'],
    ['too many bytes', { ...body, messages: [{ role: 'user', content: 'x'.repeat(2_000) }] }, 413, 'request_too_large'],
  ])("give %s Anthropic's form", async (_, sent, status, type) => {
    const open = openGateway({ routes: { chatBodyLimit: 1_000 } })
    const { secret } = await open.key()
    for (const path of ['/v1/messages', '/v1/messages/count_tokens']) {
      await expectMessageFailure(await open.send(path, { as: secret, method: 'POST', body: sent }), status, type)
    }
  })

  it.each([
    ['/v1/messages', 'messages'],
    ['/v1/chat/completions', 'messages'],
    ['/v1/responses', 'input'],
  ])('say plainly that a body of %s has too many values', async (path, name) => {
    const open = openGateway()
    const { secret } = await open.key()
    const response = await open.send(path, { as: secret, body: { model: 'm', [name]: Array(30_001).fill(0) } })
    const { error } = await response.json()
    expect(response.status).toBe(400)
    expect(error).toMatchObject({
      type: 'invalid_request_error',
      message: 'We do not accept the JSON body of your request: it has too many values, more than 30000.',
    })
  })

  it("give Anthropic's form to wrong credentials, access rules, methods and faults", async () => {
    const open = openGateway({
      routes: { authorize: { countMessageTokens: () => ({ status: 418, message: 'Not today' }) } },
    })
    await expectMessageFailure(
      await open.send('/v1/messages', { body }),
      401,
      'authentication_error',
      expect.stringContaining("'x-api-key: YOUR_KEY'"),
    )
    const refused = await open.send('/v1/messages/count_tokens', { body })
    await expectMessageFailure(refused, 418, 'invalid_request_error', 'Not today')
    await expectMessageFailure(await open.send('/v1/messages', { as: ADMIN }), 405, 'invalid_request_error')
    const { secret } = await open.key()
    await open.gateway.close()
    await expectMessageFailure(await open.send('/v1/messages', { as: secret, body }), 503, 'api_error')
  })

  it('carry the limits of the key in their headers', async () => {
    const { provider } = await dialectUpstream('messages')
    const open = openGateway({ providers: [provider] })
    const { secret } = await open.key({ rateLimit: 1 })
    const answered = await open.send('/v1/messages', { as: secret, body })
    expect(answered.headers.get('anthropic-ratelimit-requests-limit')).toBe('1')
    expect(answered.headers.get('anthropic-ratelimit-requests-remaining')).toBe('0')
    expect(answered.headers.get('anthropic-ratelimit-requests-reset')).toBe(answered.headers.get('x-ratelimit-reset'))
    expect(answered.headers.has('x-ratelimit-limit-requests')).toBe(false)
    const refused = await open.send('/v1/messages', { as: secret, body })
    expect(refused.headers.has('retry-after')).toBe(true)
    await expectMessageFailure(refused, 429, 'rate_limit_error')
  })

  it.each([
    [529, 529, 'overloaded_error'],
    [503, 503, 'api_error'],
    [500, 502, 'api_error'],
    [429, 429, 'rate_limit_error'],
    [401, 502, 'api_error'],
  ])('report a refusal of the upstream with %i by %i', async (status, answered, type) => {
    const fail = () => Promise.reject(new ProviderFailure({ type: 'refused', status, message: 'No' }))
    const provider = fakeProvider({ complete: fail, stream: fail })
    const open = openGateway({ providers: [provider], retries: { retries: 0 } })
    const { secret } = await open.key()
    for (const stream of [false, true]) {
      const response = await open.send('/v1/messages', { as: secret, body: { ...body, stream } })
      await expectMessageFailure(response, answered, type)
    }
  })
})

describe('the gateway', () => {
  const thread = { type: 'continue', previous_message_id: 'msg_1' }
  const error_code = 'thread_unsupported_request'

  it.each([
    'chat',
    'responses',
  ] as const)('refuses threads over an upstream of %s as clients expect it', async (dialect) => {
    const upstream = await dialectUpstream(dialect)
    const open = openGateway({ providers: [upstream.provider] })
    const { secret } = await open.key()
    for (const turn of [{ thread: { type: 'create' } }, { thread, messages: [], stream: true }]) {
      const response = await open.send('/v1/messages', { as: secret, body: { ...body, ...turn } })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({
        type: 'error',
        error: { type: 'invalid_request_error', details: { error_code, unsupported: ['thread'] } },
      })
    }
    expect(upstream.seen).toEqual([])
  })

  it('passes turns without a new message to an upstream of messages, and details of its errors to clients', async () => {
    const details = { error_code: 'thread_not_found' }
    const error = { type: 'invalid_request_error', message: 'No such thread', details }
    const upstream = await dialectUpstream('messages', (request, response) => {
      if (!request.body.includes('lost')) return answering('messages')(request, response)
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ type: 'error', error }))
    })
    const open = openGateway({ providers: [upstream.provider] })
    const { secret } = await open.key()
    const turn = { ...body, messages: [], thread }
    expect((await open.send('/v1/messages', { as: secret, body: turn })).status).toBe(200)
    expect(JSON.parse(upstream.seen[0]?.body ?? '')).toMatchObject({ messages: [], thread })
    const lost = { ...turn, thread: { ...thread, previous_message_id: 'lost' } }
    const refused = await open.send('/v1/messages', { as: secret, body: lost })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ error })
  })
})

describe('requests of messages', () => {
  it('reach the upstream with the headers of the client that it may get, and with no other', async () => {
    const upstream = await dialectUpstream('messages')
    const open = openGateway({ providers: [upstream.provider], forwardHeaders: ['X-Team'] })
    const { secret } = await open.key()
    const headers = {
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'context-1m-2026',
      'x-team': 'blue',
      'x-other': 'secret',
      cookie: 'session=1',
    }
    await open.send('/v1/messages', { headers: { ...headers, 'x-api-key': secret }, body })
    const seen = upstream.seen[0]?.headers
    expect(seen).toMatchObject({ 'anthropic-beta': 'context-1m-2026', 'x-team': 'blue', 'x-api-key': 'sk-secret' })
    expect(seen).not.toHaveProperty('x-other')
    expect(seen).not.toHaveProperty('cookie')
    expect(seen).not.toHaveProperty('authorization')
  })

  it.each([
    'authorization',
    'Cookie',
    'host',
    'transfer-encoding',
    'x-api-key',
    'a b',
    '',
  ])('refuse to forward the header %j', (name) => {
    expect(() => openGateway({ forwardHeaders: [name] })).toThrow(TypeError)
    expect(isForwardableHeader(name)).toBe(false)
  })

  it('try an upstream of another dialect where the first one fails', async () => {
    const down = await dialectUpstream('messages', (_, response) => response.writeHead(500).end(), 'one')
    const chat = await dialectUpstream('chat', answering('chat'), 'two')
    const open = openGateway({
      providers: [down.provider, chat.provider],
      models: { best: { targets: [{ model: 'one/big' }], fallbacks: ['two/big'] } },
      retries: { retries: 0 },
    })
    const { secret } = await open.key()
    const response = await open.send('/v1/messages', { as: secret, body: { ...body, model: 'best' } })
    expect(response.headers.get('x-trivium-provider')).toBe('two')
    expect(await response.json()).toMatchObject({ type: 'message', stop_reason: 'tool_use' })
  })

  it('count the input that their first event reported where the client disconnects', async () => {
    const { events } = scripts.messages
    const upstream = await dialectUpstream('messages', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(events.slice(0, 4).join(''))
    })
    const open = openGateway({ providers: [upstream.provider] })
    const { secret } = await open.key()
    const response = await open.send('/v1/messages', { as: secret, body: { ...body, stream: true } })
    const reader = response.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    await settled()
    expect(open.records).toMatchObject([{ status: 499, inputTokens: 9, estimated: true, partial: true }])
  })

  it('name in a header what the upstream did not get', async () => {
    const upstream = await dialectUpstream('chat')
    const open = openGateway({ providers: [upstream.provider] })
    const { secret } = await open.key()
    const weather = { name: 'weather', input_schema: { type: 'object' } }
    const tools = [weather, { type: 'web_search_20250305', name: 'web_search' }]
    for (const stream of [false, true]) {
      const response = await open.send('/v1/messages', { as: secret, body: { ...body, tools, stream } })
      expect(response.headers.get('x-trivium-omitted')).toMatch(/^web_search/)
      await response.text()
    }
  })

  it.each([
    'chat',
    'responses',
  ] as const)('name what upstreams of %s cannot carry, instead of a refusal', async (dialect) => {
    const upstream = await dialectUpstream(dialect)
    const open = openGateway({ providers: [upstream.provider] })
    const { secret } = await open.key()
    const citation = {
      type: 'char_location',
      cited_text: 'x',
      document_index: 0,
      start_char_index: 0,
      end_char_index: 1,
    }
    const request = {
      ...body,
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [{ type: 'text', text: 'Hello', citations: [citation] }] },
        { role: 'user', content: 'Again' },
      ],
      tools: [{ type: 'web_search_20250305', name: 'web_search', cache_control: { type: 'ephemeral' } }],
      metadata: { user_id: JSON.stringify({ device_id: 'd'.repeat(64), session_id: 's' }) },
    }
    const response = await open.send('/v1/messages', { as: secret, body: request })
    expect(response.status).toBe(200)
    const omitted = response.headers.get('x-trivium-omitted')?.split(', ')
    expect(omitted).toEqual(
      expect.arrayContaining(['metadata.user_id', 'tools.cache_control', 'messages.content.citations']),
    )
    expect(JSON.parse(upstream.seen[0]?.body ?? '')).not.toHaveProperty('user')
    await open.send('/v1/messages', { as: secret, body: { ...request, metadata: { user_id: 'u'.repeat(64) } } })
    expect(JSON.parse(upstream.seen[1]?.body ?? '')).toHaveProperty('user', 'u'.repeat(64))
  })
})

describe('answers of messages', () => {
  it.each(dialects)('name the model that the client requested, over an upstream of %s', async (dialect) => {
    const upstream = await dialectUpstream(dialect)
    const open = openGateway({ providers: [upstream.provider] })
    const { secret } = await open.key()
    const whole = await open.send('/v1/messages', { as: secret, body })
    expect(await whole.json()).toMatchObject({ model: 'up/big' })
    const streamed = await open.send('/v1/messages', { as: secret, body: { ...body, stream: true } })
    const [first = ''] = (await streamed.text()).split('\n\n')
    expect(JSON.parse(first.slice(first.indexOf('{')))).toMatchObject({ message: { model: 'up/big' } })
    await settled()
    expect(open.records).toMatchObject([{ status: 200 }, { status: 200 }])
  })

  it('keep every other byte of the upstream', async () => {
    const sent = '{"model" : "big-2026", "content":[], "new":1.50}'
    const upstream = await dialectUpstream('messages', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(sent)
    })
    const open = openGateway({ providers: [upstream.provider] })
    const { secret } = await open.key()
    const response = await open.send('/v1/messages', { as: secret, body })
    expect(await response.text()).toBe(sent.replace('big-2026', 'up/big'))
  })

  it('leave out the citations of a text that cites no page', async () => {
    const upstream = await dialectUpstream('chat')
    const open = openGateway({ providers: [upstream.provider] })
    const { secret } = await open.key()
    for (const stream of [false, true]) {
      const response = await open.send('/v1/messages', { as: secret, body: { ...body, stream } })
      expect(await response.text()).not.toContain('citations')
    }
  })
})

describe('counts of tokens', () => {
  it('come from an upstream that counts', async () => {
    const upstream = await dialectUpstream('messages', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":42}')
    })
    const open = openGateway({ providers: [upstream.provider] })
    const { secret } = await open.key()
    const response = await open.send('/v1/messages/count_tokens', { as: secret, body })
    expect(await response.json()).toEqual({ input_tokens: 42 })
    expect(response.headers.has('x-trivium-estimated')).toBe(false)
    expect(upstream.seen).toMatchObject([{ path: '/v1/messages/count_tokens' }])
    expect(open.records).toMatchObject([{ status: 200, inputTokens: 0, outputTokens: 0 }])
  })

  it('use an estimate for other upstreams, which get no request, and say so in a header', async () => {
    const upstream = await dialectUpstream('chat', streaming([]))
    const open = openGateway({ providers: [upstream.provider] })
    const { secret } = await open.key()
    const response = await open.send('/v1/messages/count_tokens', { as: secret, body })
    expect(await response.json()).toEqual({ input_tokens: expect.any(Number) })
    expect(response.headers.get('x-trivium-estimated')).toBe('true')
    expect(upstream.seen).toEqual([])
  })
})
