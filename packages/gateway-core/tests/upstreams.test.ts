import { type ChatAnswer, type ProviderErrorInit, ProviderFailure, toProviderError } from '@trivium/gateway-core/ports'
import { openAiProvider } from '@trivium/openai-provider'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { delta, encodedAnswer, fakeProvider, LiveStream, textStream } from './fake-provider.ts'
import { fakeUpstream } from './fake-upstream.ts'
import { expectFailure, openGateway, settled } from './open-gateway.ts'

afterEach(() => {
  vi.useRealTimers()
})

const failing = (init: ProviderErrorInit) => () => {
  throw new ProviderFailure(init)
}
const refused = (status: number, rest: object = {}) =>
  failing({ type: 'refused', status, message: `Status ${status}`, ...rest })
const withoutRetries = { retries: { retries: 0 } }

describe('gateway after a failure of an upstream', () => {
  it.each([
    [
      {
        type: 'refused',
        status: 400,
        message: 'Too long',
        upstreamType: 'invalid_request_error',
        code: 'context_length_exceeded',
        param: 'messages',
      },
      400,
      { message: 'Too long', type: 'invalid_request_error', code: 'context_length_exceeded', param: 'messages' },
    ],
    [
      { type: 'refused', status: 404, message: 'No model', code: 'model_not_found' },
      404,
      { type: 'invalid_request_error', code: 'model_not_found' },
    ],
    [{ type: 'refused', status: 413, message: 'Large' }, 413, { message: 'Large' }],
    [{ type: 'refused', status: 422, message: 'Odd' }, 422, { message: 'Odd' }],
    [
      { type: 'refused', status: 429, message: 'Slow down', retryAfterSeconds: 90 },
      429,
      { message: 'Slow down', code: 'upstream_rate_limited' },
    ],
    [
      { type: 'refused', status: 401, message: 'Incorrect API key provided: sk-abc' },
      502,
      { message: 'The upstream refused the gateway itself.', code: 'upstream_refused' },
    ],
    [{ type: 'refused', status: 403, message: 'Country sk-abc' }, 502, { code: 'upstream_refused' }],
    [
      { type: 'refused', status: 500, message: 'Oops' },
      502,
      { message: 'Oops', type: 'server_error', code: 'upstream_error' },
    ],
    [{ type: 'refused', status: 503, message: 'Full', code: 'full' }, 503, { code: 'full' }],
    [{ type: 'refused', status: 529, message: 'Overloaded', code: 'overloaded' }, 503, { code: 'overloaded' }],
    [{ type: 'refused', status: 302, message: 'Moved' }, 502, {}],
    [{ type: 'unreachable', message: 'No connection' }, 502, { code: 'upstream_unreachable' }],
    [{ type: 'timed-out', phase: 'connect', message: 'Late' }, 504, { code: 'upstream_timeout' }],
    [{ type: 'interrupted', message: 'Cut' }, 502, { code: 'upstream_incomplete' }],
    [{ type: 'malformed', message: 'Not JSON' }, 502, { code: 'upstream_malformed' }],
    [{ type: 'unsupported', param: 'n', message: 'One only' }, 400, { param: 'n', code: 'unsupported_parameter' }],
  ] as const)('answers %j with %i', async (init, status, error) => {
    for (const stream of [false, true]) {
      const provider = fakeProvider({ complete: failing(init), stream: failing(init) })
      const open = openGateway({ providers: [provider], ...withoutRetries })
      const { secret } = await open.key()
      const response = await open.chat(secret, { stream })
      expect(response.headers.get('x-trivium-provider')).toBe('up')
      expect(response.headers.get('retry-after')).toBe('retryAfterSeconds' in init ? '90' : status === 503 ? '1' : null)
      expect(await response.clone().text()).not.toContain('sk-abc')
      await expectFailure(response, status, error)
      expect(open.records).toMatchObject([{ status, provider: 'up', inputTokens: 0 }])
    }
  })

  it('hides the message of a fault of the provider, and reports the fault', async () => {
    const open = openGateway({ providers: [fakeProvider({ complete: () => JSON.parse('{secret') })] })
    const { secret } = await open.key()
    const response = await open.chat(secret)
    expect(await response.clone().text()).not.toContain('secret')
    await expectFailure(response, 502, { code: 'upstream_malformed' })
    expect(open.faults).toMatchObject([{ name: 'SyntaxError' }])
  })
})

describe('retry', () => {
  it('happens before the first byte, and ends with the first answer', async () => {
    let calls = 0
    const provider = fakeProvider({
      complete: () => {
        calls += 1
        return calls === 1 ? refused(503)() : encodedAnswer()
      },
    })
    const open = openGateway({ providers: [provider], retries: { backoffMs: 1 } })
    const failed: unknown[] = []
    open.gateway.events.on('provider.failed', (attempt) => failed.push(attempt))
    const { secret } = await open.key()
    expect((await open.chat(secret)).status).toBe(200)
    expect(failed).toMatchObject([{ provider: 'up', model: 'big', error: { status: 503 } }])
    expect(open.records).toHaveLength(1)
  })

  it('waits for the time that the upstream requests', async () => {
    vi.useFakeTimers()
    const provider = fakeProvider({ complete: refused(429, { retryAfterSeconds: 3 }) })
    const open = openGateway({ providers: [provider], retries: { retries: 1 } })
    const { secret } = await open.key()
    const answer = open.chat(secret)
    await provider.untilCalled(1)
    await vi.advanceTimersByTimeAsync(2_999)
    expect(provider.calls).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(provider.calls).toHaveLength(2)
    expect((await answer).headers.get('retry-after')).toBe('3')
  })

  it('never follows where the upstream requests a longer wait than the limit', async () => {
    const provider = fakeProvider({ complete: refused(429, { retryAfterSeconds: 60 }) })
    const open = openGateway({ providers: [provider] })
    const { secret } = await open.key()
    expect((await open.chat(secret)).status).toBe(429)
    expect(provider.calls).toHaveLength(1)
  })

  it('never follows an error that the request itself causes', async () => {
    const provider = fakeProvider({ complete: refused(400) })
    const open = openGateway({
      providers: [provider],
      models: { both: { targets: [{ model: 'up/big' }], fallbacks: ['up/big'] } },
    })
    const { secret } = await open.key()
    expect((await open.chat(secret, { model: 'both' })).status).toBe(400)
    expect(provider.calls).toHaveLength(1)
  })

  it('follows an error that is the first event, even where the upstream keeps the connection open', async () => {
    let calls = 0
    const baseUrl = await fakeUpstream(({ response }) => {
      calls += 1
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"error":{"message":"Slow down","type":"requests","code":"rate_limit_exceeded"}}\n\n')
    })
    const open = openGateway({
      providers: [openAiProvider({ id: 'up', baseUrl, models: ['big'] })],
      retries: { backoffMs: 1 },
    })
    const { secret } = await open.key()
    await expectFailure(await open.chat(secret, { stream: true }), 429, { message: 'Slow down' })
    expect(calls).toBe(2)
    expect(open.records).toMatchObject([{ status: 429 }])
  })

  it('never follows a stream that has started', async () => {
    const live = new LiveStream()
    const provider = fakeProvider({ stream: () => live.stream })
    const spare = fakeProvider({ id: 'spare' })
    const open = openGateway({
      providers: [provider, spare],
      models: { both: { targets: [{ model: 'up/big' }], fallbacks: ['spare/big'] } },
    })
    const { secret } = await open.key()
    const answer = open.chat(secret, { stream: true, model: 'both' })
    await live.started
    live.send(delta('Hi'))
    const response = await answer
    live.fail(toProviderError({ type: 'interrupted', message: 'Reset' }))
    expect(await response.text()).toContain('"code":"upstream_incomplete"')
    expect([provider.calls.length, spare.calls.length]).toEqual([1, 0])
  })
})

describe('model route', () => {
  const two = (one: Parameters<typeof fakeProvider>[0], other: Parameters<typeof fakeProvider>[0] = {}) => [
    fakeProvider({ id: 'one', ...one }),
    fakeProvider({ id: 'two', models: ['small'], ...other }),
  ]
  const both = { both: { targets: [{ model: 'one/big' }], fallbacks: ['two/small'] } } as const

  it.each([
    ['a refusal', { complete: refused(503) }],
    ['bad credentials', { complete: refused(401) }],
    ['a missing model', { complete: refused(404) }],
    ['a broken connection', { complete: failing({ type: 'unreachable', message: 'x' }) }],
    ['a fault', { complete: () => JSON.parse('') }],
  ])('falls back after %s', async (_, options) => {
    const [one, second] = two(options)
    const open = openGateway({
      providers: [one, second].filter((provider) => provider !== undefined),
      models: both,
      ...withoutRetries,
    })
    const { secret } = await open.key()
    const response = await open.chat(secret, { model: 'both' })
    expect(response.headers.get('x-trivium-provider')).toBe('two')
    expect(JSON.parse(second?.calls[0]?.sent ?? '').model).toBe('small')
    expect(open.records).toMatchObject([{ model: 'both', provider: 'two', status: 200 }])
  })

  it.each([
    ['an error event', 'data: {"error":{"message":"no"}}\n\n'],
    ['an end', ''],
    ['something else', 'data: <html>\n\n'],
  ])('falls back where the first event of a stream is %s', async (_, text) => {
    const providers = two(
      { stream: () => textStream(text) },
      { stream: () => textStream(`data: ${JSON.stringify(delta('Hi'))}\n\ndata: [DONE]\n\n`) },
    )
    const open = openGateway({ providers, models: both, ...withoutRetries })
    const { secret } = await open.key()
    const response = await open.chat(secret, { model: 'both', stream: true })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('Hi')
  })

  it('returns the error of the first upstream where all fail', async () => {
    const providers = two({ complete: refused(429, { retryAfterSeconds: 60 }) }, { complete: refused(500) })
    const open = openGateway({ providers, models: both, ...withoutRetries })
    const { secret } = await open.key()
    const response = await open.chat(secret, { model: 'both' })
    await expectFailure(response, 429, { message: 'Status 429' })
  })

  it('divides requests by weight', async () => {
    const providers = two({})
    let draw = 0
    const open = openGateway({
      providers,
      models: { both: { targets: [{ model: 'one/big', weight: 3 }, { model: 'two/small' }] } },
      random: () => (draw++ % 8) / 8,
    })
    const { secret } = await open.key()
    for (let index = 0; index < 8; index += 1) await open.chat(secret, { model: 'both' })
    // Each request draws two random numbers.
    expect(providers.map(({ calls }) => calls.length)).toEqual([6, 2])
  })

  it('throws at the start where a provider is missing, or its id malformed or repeated', () => {
    expect(() => openGateway({ providers: [], models: { a: 'one/big' } })).toThrow("'one/big'")
    expect(() => openGateway({ providers: [fakeProvider({ id: 'A/b' })] })).toThrow('malformed')
    expect(() => openGateway({ providers: [fakeProvider(), fakeProvider()] })).toThrow('twice')
  })
})

describe('circuit of a model', () => {
  it('opens after consecutive failures, admits one call after its time, and closes after a success', async () => {
    vi.useFakeTimers()
    let broken = true
    const provider = fakeProvider({ complete: () => (broken ? refused(500)() : encodedAnswer()) })
    const open = openGateway({
      providers: [provider],
      circuit: { failures: 3, coolDownSeconds: 10 },
      ...withoutRetries,
    })
    const changes: string[] = []
    open.gateway.events.on('circuit.opened', ({ id }) => changes.push(`${id} opened`))
    open.gateway.events.on('circuit.closed', ({ id }) => changes.push(`${id} closed`))
    const { secret } = await open.key()
    for (let index = 0; index < 3; index += 1) expect((await open.chat(secret)).status).toBe(502)
    const left = await open.chat(secret)
    expect(left.headers.get('retry-after')).toBe('10')
    await expectFailure(left, 503, { code: 'upstream_unreachable' })
    expect(provider.calls).toHaveLength(3)
    expect((await open.gateway.health()).providers).toEqual({ up: 'degraded' })
    vi.advanceTimersByTime(10_000)
    expect((await open.chat(secret)).status).toBe(502)
    expect((await open.chat(secret)).status).toBe(503)
    vi.advanceTimersByTime(10_000)
    broken = false
    expect((await open.chat(secret)).status).toBe(200)
    expect((await open.chat(secret)).status).toBe(200)
    expect(changes).toEqual(['up opened', 'up opened', 'up closed'])
  })

  it('opens for that model only, and counts a request with its retries once', async () => {
    const provider = fakeProvider({
      models: ['big', 'small'],
      complete: ({ model }) => (model === 'big' ? refused(500)() : encodedAnswer()),
    })
    const open = openGateway({
      providers: [provider],
      circuit: { failures: 3 },
      retries: { retries: 1, backoffMs: 0 },
    })
    const opened: unknown[] = []
    open.gateway.events.on('circuit.opened', (place) => opened.push(place))
    const { secret } = await open.key()
    for (let index = 0; index < 3; index += 1) expect((await open.chat(secret)).status).toBe(502)
    expect(provider.calls).toHaveLength(6)
    expect((await open.chat(secret)).status).toBe(503)
    expect((await open.chat(secret, { model: 'up/small' })).status).toBe(200)
    expect(opened).toEqual([{ kind: 'provider', id: 'up', model: 'big' }])
  })

  it('opens for all models of an upstream that cannot be reached', async () => {
    const provider = fakeProvider({
      models: ['big', 'small'],
      complete: () => {
        throw new ProviderFailure({ type: 'unreachable', message: 'away' })
      },
    })
    const open = openGateway({ providers: [provider], circuit: { failures: 2 }, retries: { retries: 0 } })
    const opened: unknown[] = []
    open.gateway.events.on('circuit.opened', (place) => opened.push(place))
    const { secret } = await open.key()
    for (const model of ['up/big', 'up/small']) expect((await open.chat(secret, { model })).status).toBe(502)
    expect((await open.chat(secret)).headers.get('retry-after')).toBe('15')
    expect((await open.chat(secret, { model: 'up/small' })).status).toBe(503)
    expect(provider.calls).toHaveLength(2)
    expect(opened).toEqual([{ kind: 'provider', id: 'up' }])
    expect((await open.gateway.health()).providers).toEqual({ up: 'unhealthy' })
  })

  it('stays closed for the failures of one key while the model answers another one', async () => {
    const provider = fakeProvider({
      complete: ({ body }) => (body.user === 'poison' ? refused(500)() : encodedAnswer()),
    })
    const open = openGateway({ providers: [provider], circuit: { failures: 2 }, retries: { retries: 0 } })
    const good = await open.key()
    const bad = await open.key({ username: 'bob' })
    expect((await open.chat(good.secret)).status).toBe(200)
    for (let index = 0; index < 10; index += 1) {
      expect((await open.chat(bad.secret, { user: 'poison' })).status).toBe(502)
    }
    expect((await open.chat(good.secret)).status).toBe(200)
    // It also stays closed where that key succeeds in between.
    expect((await open.chat(bad.secret)).status).toBe(200)
    for (let index = 0; index < 10; index += 1) {
      expect((await open.chat(bad.secret, { user: 'poison' })).status).toBe(502)
    }
    expect((await open.chat(good.secret)).status).toBe(200)
    for (const { secret } of [bad, good]) expect((await open.chat(secret, { user: 'poison' })).status).toBe(502)
    expect((await open.chat(good.secret, { user: 'poison' })).status).toBe(502)
    expect((await open.chat(good.secret)).status).toBe(503)
  })

  it('stays closed after bad requests', async () => {
    const provider = fakeProvider({ complete: refused(400) })
    const open = openGateway({ providers: [provider], circuit: { failures: 2 }, ...withoutRetries })
    const { secret } = await open.key()
    for (let index = 0; index < 6; index += 1) expect((await open.chat(secret)).status).toBe(400)
  })

  it.each([
    [{ timeout: 1 }, 10, 504],
    [{ timeout: 10 }, 10, 503],
    [{ timeout: 20 }, 10, 503],
    [{}, 1, 503],
  ])("opens after the gateway's timeout, but not after a shorter one of the request: %j with %i s", async (fields, totalSeconds, status) => {
    vi.useFakeTimers()
    const provider = fakeProvider({ complete: () => new Promise(() => undefined) })
    const open = openGateway({
      providers: [provider],
      circuit: { failures: 2, coolDownSeconds: 60 },
      timeouts: { totalSeconds },
      ...withoutRetries,
    })
    const { secret } = await open.key()
    const statuses: number[] = []
    for (const times of [1, 2, 3]) {
      const answer = open.chat(secret, fields)
      await Promise.race([provider.untilCalled(times), answer])
      await vi.advanceTimersByTimeAsync(20_000)
      statuses.push((await answer).status)
    }
    expect(statuses).toEqual([504, 504, status])
  })

  it('refuses other calls during the trial call', async () => {
    vi.useFakeTimers()
    let hang = false
    const provider = fakeProvider({ complete: () => (hang ? new Promise(() => undefined) : refused(500)()) })
    const open = openGateway({
      providers: [provider],
      circuit: { failures: 1, coolDownSeconds: 10 },
      ...withoutRetries,
    })
    const { secret } = await open.key()
    await open.chat(secret)
    vi.advanceTimersByTime(10_000)
    hang = true
    const trying = open.chat(secret, { timeout: 5 })
    await provider.untilCalled(2)
    expect((await open.chat(secret)).status).toBe(503)
    await vi.advanceTimersByTimeAsync(5_000)
    expect((await trying).status).toBe(504)
  })

  it.each([
    'sets a short timeout',
    'disconnects',
  ])('admits the next call where the client of the trial call %s', async (what) => {
    vi.useFakeTimers()
    let answer: () => ChatAnswer | Promise<ChatAnswer> = refused(500)
    const provider = fakeProvider({ complete: () => answer() })
    const open = openGateway({
      providers: [provider],
      circuit: { failures: 2, coolDownSeconds: 10 },
      ...withoutRetries,
    })
    const changes: string[] = []
    open.gateway.events.on('circuit.opened', ({ id }) => changes.push(`${id} opened`))
    open.gateway.events.on('circuit.closed', ({ id }) => changes.push(`${id} closed`))
    const { secret } = await open.key()
    for (const _ of [1, 2]) await open.chat(secret)
    vi.advanceTimersByTime(10_000)
    answer = () => new Promise(() => undefined)
    for (const times of [3, 4]) {
      const controller = new AbortController()
      const trying = open.chat(secret, { timeout: 5 }, { signal: controller.signal })
      await provider.untilCalled(times)
      if (what === 'disconnects') controller.abort()
      await vi.advanceTimersByTimeAsync(5_000)
      await trying
      expect(changes).toEqual(['up opened'])
    }
    answer = () => encodedAnswer()
    expect((await open.chat(secret)).status).toBe(200)
    expect(changes).toEqual(['up opened', 'up closed'])
  })
})

describe('timeout', () => {
  it('ends the upstream call with 504 where the request sets one', async () => {
    vi.useFakeTimers()
    const provider = fakeProvider({ complete: () => new Promise(() => undefined) })
    const open = openGateway({ providers: [provider] })
    const { secret } = await open.key()
    const answer = open.chat(secret, { timeout: 2 })
    await provider.untilCalled(1)
    await vi.advanceTimersByTimeAsync(2_000)
    await expectFailure(await answer, 504, { code: 'upstream_timeout' })
    expect(provider.calls).toHaveLength(1)
    expect(provider.calls[0]?.context.signal.aborted).toBe(true)
    // The client decides this timeout, so it costs the same as a disconnection.
    expect(open.records).toMatchObject([{ status: 504, partial: true, estimated: true, inputTokens: 6 }])
  })

  it('costs nothing where it is the gateway that waits no longer', async () => {
    vi.useFakeTimers()
    const provider = fakeProvider({ complete: () => new Promise(() => undefined) })
    const open = openGateway({ providers: [provider], timeouts: { totalSeconds: 2 } })
    const { secret } = await open.key()
    const answer = open.chat(secret, { timeout: 20 })
    await provider.untilCalled(1)
    await vi.advanceTimersByTimeAsync(20_000)
    await expectFailure(await answer, 504, { code: 'upstream_timeout' })
    expect(open.records).toMatchObject([{ status: 504, partial: false, inputTokens: 0 }])
  })

  it.each([
    ["the gateway's does not end a stream that has started", {}, true],
    ['that of the request ends a stream too', { timeout: 2 }, false],
  ])('%s', async (_, fields, continues) => {
    vi.useFakeTimers()
    const live = new LiveStream()
    const provider = fakeProvider({ stream: () => live.stream })
    const open = openGateway({ providers: [provider], timeouts: { totalSeconds: 2, idleSeconds: 3 } })
    const { secret } = await open.key()
    const answer = open.chat(secret, { stream: true, ...fields })
    await live.started
    live.send({ choices: [] })
    const text = (await answer).text()
    for (let second = 0; second < 5; second += 1) {
      live.send({ choices: [{ index: 0, delta: { content: `${second}` } }] })
      await vi.advanceTimersByTimeAsync(1_000)
    }
    live.send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }, '[DONE]')
    if (continues) expect(await text).toMatch(/"4".*\[DONE\]/s)
    else expect(await text).toContain('"upstream_timeout"')
  })

  it('leads to the next upstream where the first byte is late', async () => {
    vi.useFakeTimers()
    const silent = new LiveStream()
    const one = fakeProvider({ id: 'one', stream: () => silent.stream })
    const second = fakeProvider({ id: 'two', stream: () => textStream('data: {"choices":[]}\n\ndata: [DONE]\n\n') })
    const open = openGateway({
      providers: [one, second],
      models: { both: { targets: [{ model: 'one/big' }], fallbacks: ['two/big'] } },
      timeouts: { firstByteSeconds: 4 },
      ...withoutRetries,
    })
    const { secret } = await open.key()
    const answer = open.chat(secret, { model: 'both', stream: true })
    await one.untilCalled(1)
    await vi.advanceTimersByTimeAsync(4_000)
    const response = await answer
    expect(response.headers.get('x-trivium-provider')).toBe('two')
    expect(one.calls[0]?.context.signal.aborted).toBe(true)
  })

  it('ends a stream in an error event where an event or the whole answer is late', async () => {
    vi.useFakeTimers()
    for (const [differences, seconds] of [
      [{}, 3],
      [{ timeout: 2 }, 2],
    ] as const) {
      const live = new LiveStream()
      const open = openGateway({
        providers: [fakeProvider({ stream: () => live.stream })],
        timeouts: { idleSeconds: 3 },
      })
      const { secret } = await open.key()
      const answer = open.chat(secret, { stream: true, ...differences })
      await live.started
      live.send(delta('Hi'))
      const text = (await answer).text()
      await vi.advanceTimersByTimeAsync(seconds * 1_000)
      expect(await text).toContain('"code":"upstream_timeout"')
      expect(live.cancelled).toBe(true)
      expect(open.records).toMatchObject([{ status: 504, partial: true }])
    }
  })

  it('reaches the provider where it is the one of the connection', async () => {
    const provider = fakeProvider()
    const open = openGateway({ providers: [provider], timeouts: { connectSeconds: 7 } })
    const { secret } = await open.key()
    await open.chat(secret)
    await settled()
    expect(provider.calls[0]?.context.connectTimeoutMs).toBe(7_000)
  })
})
