import type { ModelRoute } from '@trivium/gateway-core'
import { type Provider, type ProviderErrorInit, ProviderFailure } from '@trivium/gateway-core/ports'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { completionText, encodedAnswer, type FakeProviderOptions, fakeProvider } from './fake-provider.ts'
import { expectFailure, openGateway } from './open-gateway.ts'

afterEach(() => {
  vi.useRealTimers()
})

const failing = (init: ProviderErrorInit) => () => Promise.reject(new ProviderFailure(init))
const refused = (status: number, more: Partial<ProviderErrorInit> = {}) =>
  failing({ type: 'refused', status, message: `Status ${status}`, ...more } as ProviderErrorInit) // a refusal

const tooLong = refused(400, { code: 'context_length_exceeded' })
const filtered = refused(400, { code: 'content_filter' })

const three = (one: FakeProviderOptions = {}, two: FakeProviderOptions = {}, spare: FakeProviderOptions = {}) => [
  fakeProvider({ id: 'one', ...one }),
  fakeProvider({ id: 'two', ...two }),
  fakeProvider({ id: 'spare', ...spare }),
]
const answeredBy = (response: Response) => response.headers.get('x-trivium-provider')
const noRetries = { retries: { retries: 0 } } as const

function openRoute(providers: readonly Provider[], route: ModelRoute, options: Parameters<typeof openGateway>[0] = {}) {
  return openGateway({ providers, models: { smart: route }, ...noRetries, ...options })
}

describe('a fallback', () => {
  const onAll: ModelRoute = {
    targets: [{ model: 'one/big' }],
    fallbacks: [
      { model: 'two/big', on: ['context_length'] },
      { model: 'spare/big', on: ['rate_limit', 'refusal'] },
    ],
  }

  it.each([
    ['a request that is too long', tooLong, 'two'],
    [
      'a prompt that Anthropic finds too long',
      refused(400, { message: 'prompt is too long: 9 tokens > 8 maximum' }),
      'two',
    ],
    ['a body that is too large', refused(413), 'two'],
    ['a refusal of its content', filtered, 'spare'],
    ['a limit of requests', refused(429), 'spare'],
  ])('answers after %s only where it is meant for it', async (_, complete, provider) => {
    const open = openRoute(three({ complete }), onAll)
    const { secret } = await open.key()
    expect(answeredBy(await open.chat(secret, { model: 'smart' }))).toBe(provider)
    expect(open.records).toMatchObject([{ provider, status: 200 }])
  })

  it.each([
    ['an error of the upstream', refused(503), 503],
    ['a wrong field', refused(400, { code: 'invalid_value' }), 400],
  ])('a fallback gets no request after %s that it is not meant for', async (_, complete, status) => {
    const providers = three({ complete })
    const open = openRoute(providers, onAll)
    const { secret } = await open.key()
    await expectFailure(await open.chat(secret, { model: 'smart' }), status, { message: `Status ${status}` })
    expect(providers.map(({ calls }) => calls.length)).toEqual([1, 0, 0])
  })

  it('answers after errors and limits where it has no conditions, and not where a request is too long', async () => {
    const route: ModelRoute = { targets: [{ model: 'one/big' }], fallbacks: ['two/big'] }
    for (const [complete, status] of [
      [refused(500), 200],
      [refused(429), 200],
      [tooLong, 400],
    ] as const) {
      const open = openRoute(three({ complete }), route)
      const { secret } = await open.key()
      expect((await open.chat(secret, { model: 'smart' })).status).toBe(status)
    }
  })

  it('continues after its own failure with the fallbacks for that', async () => {
    const open = openRoute(three({ complete: tooLong }, { complete: refused(429) }), onAll)
    const { secret } = await open.key()
    expect(answeredBy(await open.chat(secret, { model: 'smart' }))).toBe('spare')
  })

  const answerWith = (reason: string) => () =>
    encodedAnswer(completionText.replace('"finish_reason":"stop"', `"finish_reason":"${reason}"`))
  const onRefusal: ModelRoute = {
    targets: [{ model: 'one/big' }],
    fallbacks: [{ model: 'two/big', on: ['refusal'] }],
  }
  const prices = { 'one/*': { input: 1, output: 2 }, 'two/*': { input: 10, output: 20 } }

  it('answers after a whole answer in which a filter refused, and both are paid for', async () => {
    const open = openRoute(three({ complete: answerWith('content_filter') }), onRefusal, { prices })
    const { secret } = await open.key({ budget: { spend: { most: 1e9, period: 'total' } } as never })
    const response = await open.chat(secret, { model: 'smart', max_completion_tokens: 10 })
    expect([response.status, answeredBy(response)]).toEqual([200, 'two'])
    // 9 and 2 tokens at each: 13 + 130 millionths of a dollar.
    expect(response.headers.get('x-trivium-cost')).toBe('0.000143')
    expect(open.records).toMatchObject([{ provider: 'two', inputTokens: 18, outputTokens: 4, cost: 143_000 }])
  })

  it('leaves the refusal as the answer where it fails itself, at the cost of the one answer', async () => {
    const open = openRoute(three({ complete: answerWith('content_filter') }, { complete: refused(500) }), onRefusal, {
      prices,
    })
    const { secret } = await open.key()
    const response = await open.chat(secret, { model: 'smart' })
    expect([response.status, answeredBy(response)]).toEqual([200, 'one'])
    expect((await response.json()).choices[0].finish_reason).toBe('content_filter')
    expect(open.records).toMatchObject([{ provider: 'one', inputTokens: 9, outputTokens: 2, cost: 13_000 }])
  })

  it('needs enough money for the refusal and its own answer', async () => {
    const open = openRoute(three(), onRefusal, { prices })
    // A single answer may cost up to 0.0112 dollars at the dearer model.
    const { secret } = await open.key({ budget: { spend: { most: 15_000_000, period: 'total' } } as never })
    await expectFailure(await open.chat(secret, { model: 'smart', max_completion_tokens: 300 }), 400, {
      code: 'cost_exceeds_limit',
    })
    const model = 'two/big'
    expect((await open.chat(secret, { model, max_completion_tokens: 300 })).status).toBe(200)
  })
})

describe('targets', () => {
  it('tries targets by priority, and draws them by weight within one', async () => {
    const complete = refused(500)
    const providers = three({ complete }, { complete }, { complete })
    const open = openRoute(
      providers,
      {
        targets: [
          { model: 'spare/big', priority: 1 },
          { model: 'one/big', weight: 0 },
          { model: 'two/big', weight: 1 },
        ],
      },
      { random: () => 0 },
    )
    const failed: string[] = []
    open.gateway.events.on('provider.failed', ({ provider }) => failed.push(provider))
    const { secret } = await open.key()
    await open.chat(secret, { model: 'smart' })
    expect(failed).toEqual(['two', 'one', 'spare'])
  })

  it('picks targets by price, those without one last', async () => {
    const route: ModelRoute = {
      targets: [{ model: 'one/big' }, { model: 'spare/big' }, { model: 'two/big' }],
      pick: 'cost',
    }
    const prices = { 'one/*': { input: 5, output: 5 }, 'two/*': { input: 1, output: 6 } }
    const open = openRoute(three(), route, { prices, bundledPrices: false, random: () => 0 })
    const { secret } = await open.key()
    expect(answeredBy(await open.chat(secret, { model: 'smart' }))).toBe('two')
  })

  it('picks targets by latency: each is measured once, then the fastest answers', async () => {
    vi.useFakeTimers()
    const taking = (milliseconds: number) => async () => {
      vi.advanceTimersByTime(milliseconds)
      return encodedAnswer()
    }
    const providers = three({ complete: taking(300) }, { complete: taking(20) }, { complete: taking(100) })
    const route: ModelRoute = {
      targets: [{ model: 'one/big' }, { model: 'two/big' }, { model: 'spare/big' }],
      pick: 'latency',
    }
    const open = openRoute(providers, route)
    const { secret } = await open.key()
    const order: (string | null)[] = []
    for (let index = 0; index < 6; index += 1) order.push(answeredBy(await open.chat(secret, { model: 'smart' })))
    expect(new Set(order.slice(0, 3))).toEqual(new Set(['one', 'two', 'spare']))
    expect(order.slice(3)).toEqual(['two', 'two', 'two'])
    // After five minutes, all are measured again.
    vi.advanceTimersByTime(300_001)
    const again = new Set<string | null>()
    for (let index = 0; index < 3; index += 1) again.add(answeredBy(await open.chat(secret, { model: 'smart' })))
    expect(again.size).toBe(3)
  })

  it('prefers no target because it fails fast', async () => {
    let broken = true
    const complete = () => (broken ? refused(500)() : encodedAnswer())
    const open = openRoute(
      three({ complete }),
      { targets: [{ model: 'one/big' }, { model: 'two/big' }], pick: 'latency' },
      { random: () => 0 },
    )
    const { secret } = await open.key()
    await open.chat(secret, { model: 'smart' })
    await open.chat(secret, { model: 'smart' })
    broken = false
    expect(answeredBy(await open.chat(secret, { model: 'smart' }))).toBe('two')
  })
})

describe('a route with a star', () => {
  it('leads to the models that its name leaves open, the longest name first', async () => {
    const providers = three()
    const open = openGateway({
      providers,
      models: {
        'gpt-*': 'one/*',
        'gpt-5*': { targets: [{ model: 'two/5*' }], fallbacks: ['fast'] },
        fast: 'spare/big',
      },
    })
    const { secret } = await open.key()
    for (const model of ['gpt-4o', 'gpt-5-mini', 'fast']) await open.chat(secret, { model })
    expect(providers.map(({ calls }) => calls[0]?.model)).toEqual(['4o', '5-mini', 'big'])
    expect((await open.chat(secret, { model: 'gpt-' })).status).toBe(404)
  })

  it('hides the models of an upstream, and leads to them', async () => {
    const providers = three({ complete: refused(500) })
    const open = openGateway({
      providers,
      models: { 'one/*': { targets: [{ model: 'one/*' }], fallbacks: ['two/*'] } },
      ...noRetries,
    })
    const { secret } = await open.key()
    const response = await open.chat(secret, { model: 'one/big' })
    expect([response.status, answeredBy(response)]).toEqual([200, 'two'])
  })

  it('refuses a name without a star that leads to one, at the start', () => {
    expect(() => openGateway({ models: { fast: 'up/*' } })).toThrow('only a route whose name has a star')
    expect(() => openGateway({ models: { 'a-*': 'missing/*' } })).toThrow('which no provider has')
  })
})

describe('a wrong route', () => {
  const target = { model: 'up/big' }
  it.each([
    [{ targets: [] }, "'models.smart.targets' needs a target."],
    [{ targets: [target], pick: 'fastest' }, "'models.smart.pick' must be 'weight', 'latency' or 'cost'."],
    [{ targets: [{ ...target, wieght: 1 }] }, "has no option 'wieght'"],
    [{ targets: [{ ...target, weight: -1 }] }, 'models.smart.targets[0].weight'],
    [
      { targets: [target], fallbacks: [{ ...target, on: ['timeout'] }] },
      "'models.smart.fallbacks[0].on' may have error",
    ],
    [{ targets: [target], fallbacks: [{ ...target, when: [] }] }, "has no option 'when'"],
  ])('refuses the route %j at the start', (route, message) => {
    expect(() => openGateway({ models: { smart: route as never } })).toThrow(message) // wrong on purpose
  })
})
