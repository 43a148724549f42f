import { type ChatAnswer, type DialectProvider, ProviderFailure } from '@trivium/gateway-core/ports'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { delta, encodedAnswer, fakeProvider, LiveStream, textStream } from './fake-provider.ts'
import { expectFailure, openGateway, settled } from './open-gateway.ts'

afterEach(() => {
  vi.useRealTimers()
})

const noRetries = { retries: { retries: 0 } } as const

const turn = setImmediate

/** Waits until there are as many timers. Secrets of keys are hashed in a thread, so requests do not arrive in their order. */
async function untilTimers(count: number): Promise<void> {
  while (vi.getTimerCount() < count) await new Promise((resolve) => turn(resolve))
}

/** An upstream whose answers wait until the test ends them. */
function slowUpstream(id = 'up') {
  const answers: (() => void)[] = []
  const provider = fakeProvider({
    id,
    complete: () =>
      new Promise<ChatAnswer>((resolve) => {
        answers.push(() => resolve(encodedAnswer()))
      }),
  })
  return { provider, next: () => answers.shift()?.() }
}

describe('models of an upstream', () => {
  const openWith = (models: readonly string[], listed: readonly string[] = ['big', 'o1-pro']) => {
    const provider = fakeProvider({ models: listed })
    return { provider, open: openGateway({ providers: [provider], upstreams: { up: { models } } }) }
  }

  it('accepts models that a pattern matches, listed or not', async () => {
    const { provider, open } = openWith(['big', 'ft:*'])
    const { secret } = await open.key()
    expect((await open.chat(secret, { model: 'up/ft:mine' })).status).toBe(200)
    expect((await open.chat(secret, { model: 'up/big' })).status).toBe(200)
    expect(provider.calls.map(({ model }) => model)).toEqual(['ft:mine', 'big'])
  })

  it('neither finds nor lists models that no pattern matches', async () => {
    const { open } = openWith(['big'])
    const { secret } = await open.key()
    for (const model of ['up/o1-pro', 'o1-pro', 'up/other']) {
      expect((await open.chat(secret, { model })).status).toBe(404)
    }
    const list = await (await open.send('/v1/models', { as: secret })).json()
    expect(list.data.map(({ id }: { id: string }) => id)).toEqual(['up/big'])
  })

  it('finds no model that no pattern matches where the upstream never listed any', async () => {
    const provider = fakeProvider({ models: () => Promise.reject(new Error('down')) })
    const open = openGateway({ providers: [provider], upstreams: { up: { models: ['big'] } } })
    const { secret } = await open.key()
    expect((await open.chat(secret, { model: 'up/big' })).status).toBe(200)
    expect((await open.chat(secret, { model: 'up/other' })).status).toBe(404)
  })
})

describe('default fields', () => {
  it('adds default fields to the bytes of a client that did not set them, the most exact name first', async () => {
    const provider = fakeProvider({ models: ['big', 'small'] })
    const open = openGateway({
      providers: [provider],
      upstreams: {
        up: { parameters: { chat: { temperature: 0.5, seed: 1 } } },
        'up/b*': { parameters: { chat: { temperature: 0.1, max_completion_tokens: 50 } } },
      },
    })
    const { secret } = await open.key()
    await open.chat(secret, { seed: 7 })
    await open.chat(secret, { model: 'up/small' })
    await open.chat(secret, { max_tokens: 9 })
    const sent = provider.calls.map(({ sent: text }) => JSON.parse(text))
    expect(sent[0]).toMatchObject({ model: 'big', seed: 7, temperature: 0.1, max_completion_tokens: 50 })
    expect(sent[1]).toMatchObject({ seed: 1, temperature: 0.5 })
    expect(sent[1]).not.toHaveProperty('max_completion_tokens')
    expect(sent[2]).toMatchObject({ max_tokens: 9 })
    expect(sent[2]).not.toHaveProperty('max_completion_tokens')
    expect(provider.calls[0]?.body).toMatchObject({ temperature: 0.1 })
  })

  it('adds the fields of the protocol of the upstream, also for clients of another one', async () => {
    const bodies: unknown[] = []
    const messages: DialectProvider = {
      complete(request) {
        bodies.push(JSON.parse(new TextDecoder().decode(request.encode())))
        return Promise.reject(new ProviderFailure({ type: 'refused', status: 500, message: 'No' }))
      },
      stream: () => Promise.reject(new Error('not used')),
    }
    const { chat: _, ...others } = fakeProvider()
    const open = openGateway({
      providers: [{ ...others, messages }],
      upstreams: { up: { parameters: { chat: { temperature: 1 }, messages: { thinking: { type: 'disabled' } } } } },
      ...noRetries,
    })
    const { secret } = await open.key()
    await open.chat(secret)
    expect(bodies).toMatchObject([{ thinking: { type: 'disabled' } }])
    expect(bodies[0]).not.toHaveProperty('temperature')
  })

  it('limits the output of translated requests that set no limit, and of none that set one', async () => {
    const limits: unknown[] = []
    const messages: DialectProvider = {
      complete: ({ body }) => {
        limits.push(body.max_tokens)
        return Promise.reject(new ProviderFailure({ type: 'refused', status: 500, message: 'No' }))
      },
      stream: () => Promise.reject(new Error('not used')),
      translationTarget: () => ({ defaultMaxTokens: 77 }),
    }
    const { chat: _, ...others } = fakeProvider({ models: ['big', 'small'] })
    const open = openGateway({
      providers: [{ ...others, messages }],
      upstreams: { 'up/big': { parameters: { messages: { max_tokens: 300 } } } },
      prices: { 'up/*': { input: 1, output: 1 } },
      ...noRetries,
    })
    const { secret } = await open.key()
    const { secret: paid } = await open.key(JSON.parse('{"budget":{"spend":{"most":1000000000,"period":"total"}}}'))
    await open.chat(secret)
    await open.chat(secret, { max_tokens: 20 })
    await open.chat(secret, { model: 'up/small' })
    await open.chat(paid)
    // Money is reserved for the most output of a model that is not known.
    expect(limits).toEqual([300, 20, 77, 16_384])
  })

  it.each([
    [{ chat: { model: 'other' } }, "cannot set 'model'"],
    [{ chat: { n: 20 } }, "cannot set 'n'"],
    [{ responses: { tools: [] } }, "cannot set 'tools'"],
    [{ completions: {} }, "has no protocol 'completions'"],
    [{ chat: 'fast' }, 'must be an object'],
  ])('refuses fields that cannot be set at the start: %j', (parameters, message) => {
    expect(() => openGateway({ upstreams: { up: { parameters: parameters as never } } })).toThrow(message) // wrong on purpose
  })
})

it('clients headers reach only the upstreams that may get them', async () => {
  const providers = [fakeProvider({ id: 'one' }), fakeProvider({ id: 'two' })]
  const open = openGateway({
    providers,
    forwardHeaders: ['x-common'],
    upstreams: { two: { forwardHeaders: ['X-Tenant'] } },
  })
  const { secret } = await open.key()
  const headers = { 'x-common': 'a', 'x-tenant': 'b' }
  for (const model of ['one/big', 'two/big']) await open.chat(secret, { model }, { headers })
  const [one, two] = providers.map(({ calls }) => calls[0]?.context.headers)
  expect(one).toMatchObject({ 'x-common': 'a' })
  expect(one).not.toHaveProperty('x-tenant')
  expect(two).toMatchObject({ 'x-tenant': 'b' })
  expect(two).not.toHaveProperty('x-common')
})

describe('timeouts and retries', () => {
  it('obeys the timeouts of an upstream, and gives the next target its time', async () => {
    vi.useFakeTimers()
    const { provider } = slowUpstream('one')
    const spare = fakeProvider({ id: 'two' })
    const open = openGateway({
      providers: [provider, spare],
      models: { smart: { targets: [{ model: 'one/big' }], fallbacks: ['two/big'] } },
      upstreams: { one: { timeouts: { totalSeconds: 5, connectSeconds: 3 }, retries: { retries: 0 } } },
    })
    const { secret } = await open.key()
    const answer = open.chat(secret, { model: 'smart' })
    await provider.untilCalled(1)
    await vi.advanceTimersByTimeAsync(5_000)
    expect((await answer).headers.get('x-trivium-provider')).toBe('two')
    expect(provider.calls.map(({ context }) => context.connectTimeoutMs)).toEqual([3_000])
    expect(spare.calls.map(({ context }) => context.connectTimeoutMs)).toEqual([10_000])
  })

  it('allows a slow model longer timeouts than those of the gateway', async () => {
    vi.useFakeTimers()
    const { provider, next } = slowUpstream()
    const open = openGateway({
      providers: [provider],
      upstreams: { 'up/big': { timeouts: { totalSeconds: 900 } } },
      ...noRetries,
    })
    const { secret } = await open.key()
    const answer = open.chat(secret)
    await provider.untilCalled(1)
    await vi.advanceTimersByTimeAsync(700_000)
    next()
    expect((await answer).status).toBe(200)
  })

  it('obeys the timeouts of streams for their start and for silence', async () => {
    vi.useFakeTimers()
    const live = new LiveStream()
    const provider = fakeProvider({ stream: () => live.stream })
    const open = openGateway({
      providers: [provider],
      upstreams: { up: { timeouts: { firstByteSeconds: 2, idleSeconds: 7 }, retries: { retries: 0 } } },
    })
    const { secret } = await open.key()
    const late = open.chat(secret, { stream: true })
    await live.started
    await vi.advanceTimersByTimeAsync(2_000)
    await expectFailure(await late, 504, { code: 'upstream_timeout' })

    const second = new LiveStream()
    provider.calls.length = 0
    const other = openGateway({
      providers: [fakeProvider({ stream: () => second.stream })],
      upstreams: { up: { timeouts: { idleSeconds: 7 } } },
    })
    const answer = other.chat((await other.key()).secret, { stream: true })
    await second.started
    second.send(delta('Hi'))
    const response = await answer
    await vi.advanceTimersByTimeAsync(7_000)
    expect(await response.text()).toContain('"code":"upstream_timeout"')
  })
})

describe('running requests of an upstream', () => {
  const limited = { maxParallelRequests: 1 } as const

  it('limits running requests: one more is refused with 429, or goes to another target', async () => {
    const { provider, next } = slowUpstream('one')
    const spare = fakeProvider({ id: 'two' })
    const open = openGateway({
      providers: [provider, spare],
      models: { both: { targets: [{ model: 'one/big' }], fallbacks: ['two/big'] } },
      upstreams: { one: { ...limited, waitSeconds: 60 }, 'one/alone': {} },
    })
    const { secret } = await open.key()
    const first = open.chat(secret, { model: 'one/big' })
    await provider.untilCalled(1)
    // It does not wait where another model can take it.
    expect((await open.chat(secret, { model: 'both' })).headers.get('x-trivium-provider')).toBe('two')
    next()
    expect((await first).status).toBe(200)
  })

  it('refuse one more with a code that names the cause', async () => {
    const { provider, next } = slowUpstream()
    const open = openGateway({ providers: [provider], upstreams: { up: limited } })
    const { secret } = await open.key()
    const first = open.chat(secret)
    await provider.untilCalled(1)
    const response = await open.chat(secret)
    expect(response.headers.get('retry-after')).toBe('1')
    await expectFailure(response, 429, { code: 'upstream_busy' })
    next()
    expect((await first).status).toBe(200)
    expect((await Promise.all([open.chat(secret), provider.untilCalled(2).then(next)]))[0].status).toBe(200)
  })

  it('let others wait in their order, for at most the time of the rule', async () => {
    vi.useFakeTimers()
    const { provider, next } = slowUpstream()
    const open = openGateway({ providers: [provider], upstreams: { 'up/*': { ...limited, waitSeconds: 10 } } })
    const { secret } = await open.key()
    const first = open.chat(secret)
    await provider.untilCalled(1)
    const running = vi.getTimerCount()
    const second = open.chat(secret)
    // A request that waits has two time limits: its own, and that of its wait.
    await untilTimers(running + 2)
    const third = open.chat(secret)
    await untilTimers(running + 4)
    next()
    expect((await first).status).toBe(200)
    await provider.untilCalled(2)
    await vi.advanceTimersByTimeAsync(20_000)
    await expectFailure(await third, 429, { code: 'upstream_busy' })
    next()
    expect((await second).status).toBe(200)
    expect(provider.calls).toHaveLength(2)
  })

  it('free their place where they fail, are aborted, or where a client that waits leaves', async () => {
    const { provider, next } = slowUpstream()
    const open = openGateway({ providers: [provider], upstreams: { up: { ...limited, waitSeconds: 600 } } })
    const { secret } = await open.key()
    const client = new AbortController()
    const first = open.chat(secret, {}, { signal: client.signal })
    await provider.untilCalled(1)
    const waiting = new AbortController()
    const second = open.chat(secret, {}, { signal: waiting.signal })
    const third = open.chat(secret)
    await settled()
    waiting.abort()
    await second.catch(() => undefined)
    client.abort()
    await first.catch(() => undefined)
    await provider.untilCalled(2)
    // That of the aborted request is first.
    next()
    next()
    expect((await third).status).toBe(200)
    expect(open.records.map(({ status }) => status).sort()).toEqual([200, 499, 499])
  })

  it('count streams until their end', async () => {
    const live = new LiveStream()
    const provider = fakeProvider({ stream: () => live.stream })
    const open = openGateway({ providers: [provider], upstreams: { up: limited } })
    const { secret } = await open.key()
    const opened = open.chat(secret, { stream: true })
    await live.started
    live.send(delta('Hi'))
    const response = await opened
    expect((await open.chat(secret)).status).toBe(429)
    live.send('[DONE]')
    live.end()
    await response.text()
    expect((await open.chat(secret)).status).toBe(200)
  })

  it('counts the running requests of all names that match', async () => {
    const { provider, next } = slowUpstream()
    const open = openGateway({
      providers: [provider],
      upstreams: { up: { maxParallelRequests: 2 }, 'up/big': limited },
    })
    const { secret } = await open.key()
    const first = open.chat(secret)
    await provider.untilCalled(1)
    expect((await open.chat(secret)).status).toBe(429)
    next()
    expect((await first).status).toBe(200)
  })
})

describe('limits that an upstream reports', () => {
  const withHeaders = (headers: Readonly<Record<string, string>>) => () => ({ ...encodedAnswer(), headers })

  it.each([
    ['OpenAI', { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1m30.5s' }],
    ['OpenAI, of tokens', { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '900ms' }],
    ['seconds', { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '12' }],
    [
      'Anthropic',
      {
        'anthropic-ratelimit-input-tokens-remaining': '0',
        'anthropic-ratelimit-input-tokens-reset': new Date(Date.now() + 3_600_000).toISOString(),
      },
    ],
  ])('sends further requests to other targets after the headers of %s', async (_, headers) => {
    const providers = [fakeProvider({ id: 'one', complete: withHeaders(headers) }), fakeProvider({ id: 'two' })]
    const open = openGateway({
      providers,
      models: { both: { targets: [{ model: 'one/big' }], fallbacks: ['two/big'] } },
    })
    const { secret } = await open.key()
    const answers = [await open.chat(secret, { model: 'both' }), await open.chat(secret, { model: 'both' })]
    expect(answers.map((answer) => answer.headers.get('x-trivium-provider'))).toEqual(['one', 'two'])
    // Without another model the upstream decides itself, because a header may be wrong.
    expect((await open.chat(secret, { model: 'one/big' })).headers.get('x-trivium-provider')).toBe('one')
  })

  it('changes nothing after headers that leave requests, or are malformed', async () => {
    const headers = {
      'x-ratelimit-remaining-requests': '1',
      'x-ratelimit-reset-requests': '1m',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': 'soon',
    }
    const providers = [fakeProvider({ id: 'one', complete: withHeaders(headers) }), fakeProvider({ id: 'two' })]
    const open = openGateway({
      providers,
      models: { both: { targets: [{ model: 'one/big' }], fallbacks: ['two/big'] } },
    })
    const { secret } = await open.key()
    for (let index = 0; index < 3; index += 1) await open.chat(secret, { model: 'both' })
    expect(providers.map(({ calls }) => calls.length)).toEqual([3, 0])
  })

  const busy = (retryAfterSeconds: number) => () =>
    Promise.reject(new ProviderFailure({ type: 'refused', status: 429, message: 'Slow down', retryAfterSeconds }))

  it('sends no request after a refusal until the upstream accepts them again', async () => {
    vi.useFakeTimers()
    let limited = true
    const provider = fakeProvider({ complete: () => (limited ? busy(20)() : encodedAnswer()) })
    const open = openGateway({ providers: [provider] })
    const { secret } = await open.key()
    await expectFailure(await open.chat(secret), 429, { message: 'Slow down' })
    limited = false
    const second = await open.chat(secret)
    expect(second.headers.get('retry-after')).toBe('20')
    await expectFailure(second, 429, { code: 'upstream_rate_limited' })
    expect(provider.calls).toHaveLength(1)
    vi.advanceTimersByTime(20_001)
    expect((await open.chat(secret)).status).toBe(200)
  })

  it('waits for the end of a pause where the rules allow it', async () => {
    vi.useFakeTimers()
    let limited = true
    const provider = fakeProvider({ complete: () => (limited ? busy(20)() : encodedAnswer()) })
    const open = openGateway({ providers: [provider], upstreams: { up: { waitSeconds: 30 } } })
    const { secret } = await open.key()
    expect((await open.chat(secret)).status).toBe(429)
    limited = false
    const second = open.chat(secret)
    await vi.advanceTimersByTimeAsync(20_001)
    expect((await second).status).toBe(200)
  })

  it('pause a model for at most a minute, and no other model', async () => {
    vi.useFakeTimers()
    let limited = true
    const provider = fakeProvider({
      models: ['big', 'small'],
      complete: ({ model }) => (limited && model === 'big' ? busy(86_400)() : encodedAnswer()),
    })
    const open = openGateway({ providers: [provider] })
    const { secret } = await open.key()
    expect((await open.chat(secret)).status).toBe(429)
    limited = false
    expect((await open.chat(secret, { model: 'up/small' })).status).toBe(200)
    expect((await open.chat(secret)).status).toBe(429)
    vi.advanceTimersByTime(60_001)
    expect((await open.chat(secret)).status).toBe(200)
  })

  it('reads the limits of streams', async () => {
    const headers = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '30s' }
    const stream = () => ({ ...textStream(`data: ${JSON.stringify(delta('Hi'))}\n\n`, 'data: [DONE]\n\n'), headers })
    const providers = [fakeProvider({ id: 'one', stream }), fakeProvider({ id: 'two' })]
    const open = openGateway({
      providers,
      models: { both: { targets: [{ model: 'one/big' }], fallbacks: ['two/big'] } },
    })
    const { secret } = await open.key()
    await (await open.chat(secret, { model: 'both', stream: true })).text()
    expect((await open.chat(secret, { model: 'both' })).headers.get('x-trivium-provider')).toBe('two')
  })
})

describe('wrong rules', () => {
  it.each([
    [{ missing: {} }, "'upstreams' names 'missing'"],
    [{ up: { parallel: 1 } }, "has no option 'parallel'"],
    [{ up: { timeouts: { total: 1 } } }, "has no option 'total'"],
    [{ up: { timeouts: { totalSeconds: 0 } } }, 'upstreams.up.timeouts.totalSeconds'],
    [{ up: { maxParallelRequests: 0 } }, 'upstreams.up.maxParallelRequests'],
    [{ up: { waitSeconds: 601 } }, 'upstreams.up.waitSeconds'],
    [{ up: { forwardHeaders: ['authorization'] } }, "cannot have 'authorization'"],
    [{ 'up/big': { models: ['a'] } }, "'upstreams.up/big' cannot have 'models'"],
    [{ up: { models: 'big' } }, 'must be a list'],
  ])('refuses the rules %j at the start', (upstreams, message) => {
    expect(() => openGateway({ upstreams: upstreams as never })).toThrow(message) // wrong on purpose
  })
})
