import {
  type SearchEngine,
  type SearchError,
  SearchFailure,
  type SearchQuery,
  type SearchType,
} from '@trivium/gateway-core/ports'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { expectFailure, openGateway } from './open-gateway.ts'

afterEach(() => {
  vi.useRealTimers()
})

const texts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    title: `T${index}`,
    href: `https://e.test/${index}`,
    body: 'B',
    score: 1,
  }))

/** An engine that answers as the test configures it, and records its queries. */
function engine(
  id: string,
  search: SearchEngine['search'] = async () => ({ type: 'text', results: texts(3) }),
  types: readonly SearchType[] = ['text'],
) {
  const queries: SearchQuery[] = []
  return {
    id,
    types: new Set(types),
    queries,
    search: (query: SearchQuery, context: Parameters<SearchEngine['search']>[1]) => {
      queries.push(query)
      return search(query, context)
    },
  }
}

const failing = (error: SearchError) => () => Promise.reject(new SearchFailure(error))

describe('search', () => {
  it('uses the first engine and the defaults, and returns only the declared fields', async () => {
    const [first, second] = [engine('first'), engine('second')]
    const open = openGateway({ searchEngines: [first, second] })
    const { secret, key } = await open.key()
    const response = await open.send('/search?q=%20caf%C3%A9+au%20lait%20', { as: secret })
    expect(await response.json()).toEqual({
      engine: 'first',
      type: 'text',
      results: [0, 1, 2].map((index) => ({ title: `T${index}`, href: `https://e.test/${index}`, body: 'B' })),
    })
    expect(first.queries).toEqual([
      { text: 'café au lait', type: 'text', maxResults: 10, region: 'all', safeSearch: 'moderate' },
    ])
    expect(second.queries).toEqual([])
    expect(open.records).toMatchObject([
      { keyId: key.id, operation: 'search', model: 'first', provider: 'first', status: 200 },
    ])
  })

  it('passes every parameter to the engine', async () => {
    const other = engine('other', async () => ({ type: 'suggestions', results: [{ phrase: 'cats' }] }), ['suggestions'])
    const open = openGateway({ searchEngines: [engine('first'), other] })
    const { secret } = await open.key()
    const response = await open.send(
      '/search?q=cat&engine=other&max_results=7&type=suggestions&region=US-en&safesearch=off',
      { as: secret },
    )
    expect(await response.json()).toEqual({ engine: 'other', type: 'suggestions', results: [{ phrase: 'cats' }] })
    expect(other.queries).toEqual([
      { text: 'cat', type: 'suggestions', maxResults: 7, region: 'us-en', safeSearch: 'off' },
    ])
  })

  it('returns at most `max_results` results, and only the declared fields of news and images', async () => {
    const news = { date: null, title: 'N', body: 'B', url: 'https://n.test', image: null, source: 'S' }
    const image = {
      title: 'I',
      image: 'https://i.test/i.png',
      thumbnail: 'https://i.test/t.png',
      url: 'https://i.test',
      height: null,
      width: 4,
      source: 'S',
    }
    const all = engine(
      'all',
      async ({ type }) => {
        if (type === 'news') return { type, results: [{ ...news, extra: 1 }, news] }
        if (type === 'images') return { type, results: [image, image] }
        return { type: 'text', results: texts(30) }
      },
      ['text', 'news', 'images'],
    )
    const open = openGateway({ searchEngines: [all] })
    const { secret } = await open.key()
    const search = async (query: string) => (await (await open.send(`/search?${query}`, { as: secret })).json()).results
    expect(await search('q=x')).toHaveLength(10)
    expect(await search('q=x&max_results=4')).toHaveLength(4)
    expect(await search('q=x&type=news&max_results=1')).toEqual([news])
    expect(await search('q=x&type=images&max_results=1')).toEqual([image])
  })

  it.each([
    ['', 'q'],
    ['q=', 'q'],
    ['q=%20', 'q'],
    [`q=${'x'.repeat(2_001)}`, 'q'],
    ['q=a&q=b', 'q'],
    ['q=x&max_results=0', 'max_results'],
    ['q=x&max_results=101', 'max_results'],
    ['q=x&max_results=ten', 'max_results'],
    ['q=x&max_results=-1', 'max_results'],
    ['q=x&type=videos', 'type'],
    ['q=x&region=../x', 'region'],
    ['q=x&safesearch=strict', 'safesearch'],
  ])('refuses the query $0', async (query, param) => {
    const open = openGateway({ searchEngines: [engine('first')] })
    const { secret, key } = await open.key()
    await expectFailure(await open.send(`/search?${query}`, { as: secret }), 400, { param })
    expect(await open.remaining(key)).toBe(1_000)
  })

  it('refuses an unknown engine, and a type that the engine does not support', async () => {
    const open = openGateway({ searchEngines: [engine('first'), engine('second')] })
    const { secret, key } = await open.key()
    const unknown = await open.send('/search?q=x&engine=google', { as: secret })
    await expectFailure(unknown, 400, { param: 'engine', message: expect.stringContaining('first, second') })
    const type = await open.send('/search?q=x&type=images', { as: secret })
    await expectFailure(type, 400, { param: 'type', code: 'unsupported_search_type' })
    expect(await open.remaining(key)).toBe(1_000)
  })
})

describe('search after a failure of the engine', () => {
  it.each([
    [{ type: 'blocked', message: 'A captcha', retryAfterSeconds: 60 }, 503, 'search_blocked', '60'],
    [{ type: 'rate-limited', message: 'Slow', retryAfterSeconds: 2 }, 429, 'search_rate_limited', '2'],
    [{ type: 'unavailable', message: 'Down' }, 503, 'search_unavailable', null],
    [{ type: 'timed-out', message: 'Late' }, 504, 'search_timed_out', null],
    [{ type: 'misconfigured', message: 'JSON is off' }, 502, 'search_misconfigured', null],
    [{ type: 'unsupported-type', message: 'No', searchType: 'text' }, 400, 'search_unsupported_type', null],
  ] as const)('answers %j with %i', async (error, status, code, retryAfter) => {
    const open = openGateway({ searchEngines: [engine('first', failing(error))] })
    const { secret } = await open.key()
    const response = await open.send('/search?q=x', { as: secret })
    expect(response.headers.get('retry-after')).toBe(retryAfter)
    await expectFailure(response, status, { code, message: error.message })
    expect(open.records).toMatchObject([{ operation: 'search', status }])
  })

  it('hides the message of a fault', async () => {
    const open = openGateway({ searchEngines: [engine('first', async () => JSON.parse('{secret'))] })
    const { secret } = await open.key()
    const response = await open.send('/search?q=x', { as: secret })
    expect(await response.clone().text()).not.toContain('secret')
    await expectFailure(response, 503, { code: 'search_unavailable' })
    expect(open.faults).toHaveLength(1)
  })

  it('opens the circuit for a time after repeated failures', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    const broken = engine('first', failing({ type: 'blocked', message: 'No' }))
    const open = openGateway({ searchEngines: [broken], search: { circuit: { failures: 2, coolDownSeconds: 30 } } })
    const opened: unknown[] = []
    open.gateway.events.on('circuit.opened', (place) => opened.push(place))
    const { secret } = await open.key()
    for (let index = 0; index < 4; index += 1)
      expect((await open.send(`/search?q=x${index}`, { as: secret })).status).toBe(503)
    expect(broken.queries).toHaveLength(2)
    expect(opened).toEqual([{ kind: 'search-engine', id: 'first' }])
    expect((await open.gateway.health()).search).toEqual({ first: 'unhealthy' })
    vi.advanceTimersByTime(30_000)
    await open.send('/search?q=y', { as: secret })
    expect(broken.queries).toHaveLength(3)
  })

  it('answers 504 after the timeout, and aborts the call of the engine', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let signal: AbortSignal | undefined
    let signalCall: (() => void) | undefined
    const queries = new Promise<void>((resolve) => {
      signalCall = resolve
    })
    const slow = engine('first', (_, context) => {
      signal = context.signal
      signalCall?.()
      return new Promise(() => undefined)
    })
    const open = openGateway({ searchEngines: [slow], search: { timeoutSeconds: 3 } })
    const { secret } = await open.key()
    const answer = open.send('/search?q=x', { as: secret })
    await queries
    vi.advanceTimersByTime(3_000)
    await expectFailure(await answer, 504, { code: 'search_timed_out' })
    expect(signal?.aborted).toBe(true)
  })

  it('keeps the circuit closed after the disconnection of a client', async () => {
    const controller = new AbortController()
    const slow = engine('first', () => {
      controller.abort()
      return new Promise(() => undefined)
    })
    const open = openGateway({ searchEngines: [slow], search: { circuit: { failures: 1 } } })
    const { secret } = await open.key()
    await open.send('/search?q=x', { as: secret, signal: controller.signal })
    expect(open.records).toMatchObject([{ status: 499 }])
    expect((await open.gateway.health()).search).toEqual({ first: 'healthy' })
  })

  it('keeps the circuit open where the client of the trial call disconnects', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    const controller = new AbortController()
    let answer: SearchEngine['search'] = failing({ type: 'unavailable', message: 'Down' })
    const down = engine('first', (...queries) => answer(...queries))
    const open = openGateway({ searchEngines: [down], search: { circuit: { failures: 1, coolDownSeconds: 30 } } })
    let closings = 0
    open.gateway.events.on('circuit.closed', () => {
      closings += 1
    })
    const { secret } = await open.key()
    await open.send('/search?q=x', { as: secret })
    vi.advanceTimersByTime(30_000)
    answer = () => {
      controller.abort()
      return new Promise(() => undefined)
    }
    await open.send('/search?q=x', { as: secret, signal: controller.signal })
    expect(closings).toBe(0)
    answer = async () => ({ type: 'text', results: [] })
    expect((await open.send('/search?q=x', { as: secret })).status).toBe(200)
    expect(closings).toBe(1)
  })
})

describe('search cache', () => {
  it('returns the results again for `cacheSeconds`, for the same query only', async () => {
    vi.useFakeTimers({ toFake: ['performance'] }).advanceTimersByTime(1)
    const first = engine('first')
    const open = openGateway({ searchEngines: [first], search: { cacheSeconds: 60 } })
    const { secret } = await open.key()
    const search = async (query: string) => (await open.send(`/search?${query}`, { as: secret })).headers.get('x-cache')
    expect(await search('q=x')).toBe('miss')
    expect(await search('q=x')).toBe('hit')
    for (const query of ['q=X', 'q=x&max_results=5', 'q=x&region=us-en', 'q=x&safesearch=on'])
      expect(await search(query)).toBe('miss')
    vi.advanceTimersByTime(60_001)
    expect(await search('q=x')).toBe('miss')
    expect(open.records).toHaveLength(7)
  })

  it('stores no failures', async () => {
    let broken = true
    const first = engine('first', async () => {
      if (broken) throw new SearchFailure({ type: 'unavailable', message: 'Down' })
      return { type: 'text', results: [] }
    })
    const open = openGateway({ searchEngines: [first] })
    const { secret } = await open.key()
    expect((await open.send('/search?q=x', { as: secret })).status).toBe(503)
    broken = false
    expect((await open.send('/search?q=x', { as: secret })).status).toBe(200)
  })
})
