import { describe, expect, it } from 'vitest'
import { upstreamServer } from '../../../gateway-core/tests/upstream-server.ts'
import { type Answering, errorOf, html, invalidAnswers, json, parametersOf, search } from '../../tests/searches.ts'
import { braveSearch } from './brave-search.ts'

async function engineWith(answer: Answering) {
  const server = await upstreamServer(answer)
  const engine = braveSearch({
    apiKey: 'BSA-secret',
    baseUrl: `${server.origin}/res/v1`,
    now: () => new Date(1_700_000_000_000),
  })
  return { ...server, engine }
}

const webPage = (results: readonly unknown[], more_results_available = false) => ({
  type: 'search',
  query: { original: 'x', more_results_available },
  web: { type: 'search', results, family_friendly: true },
})

const found = (url: string, more: object = {}) => ({
  title: 'T',
  url,
  description: 'D',
  page_age: '2026-04-12T14:22:41',
  age: '2 days ago',
  language: 'en',
  meta_url: { hostname: 'e.com' },
  ...more,
})

describe('braveSearch', () => {
  it('finds pages', async () => {
    const { engine, seen } = await engineWith(
      json(
        webPage([found('https://e.com', { description: 'A <strong>bold</strong> claim' }), found('data:text/html,x')]),
      ),
    )
    expect(await search(engine)).toEqual({
      type: 'text',
      results: [{ title: 'T', href: 'https://e.com/', body: 'A bold claim' }],
    })
    expect(seen[0]).toMatchObject({ method: 'GET', headers: { 'x-subscription-token': 'BSA-secret' } })
    expect(seen[0]?.path.startsWith('/res/v1/web/search?')).toBe(true)
    expect(seen[0] && parametersOf(seen[0])).toEqual({
      q: 'cats & dogs',
      count: '10',
      country: 'ALL',
      safesearch: 'moderate',
      text_decorations: 'false',
      offset: '0',
    })
  })

  it.each([
    [{ region: 'us-en' }, { country: 'US', search_lang: 'en' }],
    [{ region: 'uk-en' }, { country: 'GB', search_lang: 'en-gb' }],
    [{ region: 'br-pt' }, { country: 'BR', search_lang: 'pt-br' }],
    [{ region: 'pt-pt' }, { country: 'PT', search_lang: 'pt-pt' }],
    [{ region: 'jp-ja' }, { country: 'JP', search_lang: 'jp' }],
    [{ region: 'tw-zh' }, { country: 'TW', search_lang: 'zh-hant' }],
    [{ region: 'xa-ar' }, { country: 'ALL', search_lang: 'ar' }],
    [{ region: 'no-no' }, { country: 'NO', search_lang: 'nb' }],
    [{ region: 'wt-wt' }, { country: 'ALL' }],
    [
      { type: 'suggestions' as const, region: 'de-de' },
      { country: 'DE', lang: 'de' },
    ],
    [{ safeSearch: 'on' as const }, { safesearch: 'strict' }],
    [{ safeSearch: 'off' as const }, { safesearch: 'off' }],
    [{ type: 'images' as const }, { safesearch: 'strict' }],
    [{ type: 'images' as const, safeSearch: 'off' as const }, { safesearch: 'off' }],
    [{ type: 'news' as const }, { safesearch: 'moderate' }],
    [{ maxResults: 100 }, { count: '20' }],
    [{ maxResults: 100, type: 'news' as const }, { count: '50' }],
    [{ maxResults: 100, type: 'images' as const }, { count: '100' }],
    [{ maxResults: 100, type: 'suggestions' as const }, { count: '20' }],
    [{ text: 'w '.repeat(60) }, { q: 'w '.repeat(50).trim() }],
    [{ text: '🌍'.repeat(500) }, { q: '🌍'.repeat(400) }],
  ])('sends %o as %o', async (fields, parameters) => {
    const { engine, seen } = await engineWith(json({ results: [] }))
    await search(engine, fields)
    expect(seen[0] && parametersOf(seen[0])).toMatchObject(parameters)
  })

  it.each(['kr-kr', 'hk-tzh', 'us-xx'])('omits the unknown language of %s', async (region) => {
    const { engine, seen } = await engineWith(json({ results: [] }))
    await search(engine, { region })
    expect(seen[0] && parametersOf(seen[0])).toMatchObject({ country: region.slice(0, 2).toUpperCase() })
    expect(seen[0] && parametersOf(seen[0])).not.toHaveProperty('search_lang')
  })

  it('finds news', async () => {
    const article = {
      type: 'news_result',
      title: 'T',
      url: 'https://n.com/a',
      description: 'D',
      age: '2 hours ago',
      page_age: '2026-01-15T14:30:00',
      meta_url: { hostname: 'n.com' },
      thumbnail: { src: 'https://imgs.search.brave.com/a' },
    }
    const { engine } = await engineWith(
      json({
        type: 'news',
        query: { original: 'x', more_results_available: false },
        results: [article, { title: 'U', url: 'https://www.m.com/b' }],
      }),
    )
    expect(await search(engine, { type: 'news' })).toEqual({
      type: 'news',
      results: [
        {
          date: '2026-01-15T14:30:00.000Z',
          title: 'T',
          body: 'D',
          url: 'https://n.com/a',
          image: 'https://imgs.search.brave.com/a',
          source: 'n.com',
        },
        { date: null, title: 'U', body: '', url: 'https://www.m.com/b', image: null, source: 'm.com' },
      ],
    })
  })

  it('finds images', async () => {
    const { engine, seen } = await engineWith(
      json({
        type: 'images',
        results: [
          {
            type: 'image_result',
            title: 'T',
            url: 'https://e.com/p',
            source: 'e.com',
            thumbnail: { src: 'https://imgs.search.brave.com/t', width: 200, height: 150 },
            properties: { url: 'https://e.com/i.jpg', width: 1920, height: 1080 },
            confidence: 'high',
          },
        ],
        extra: { might_be_offensive: false },
      }),
    )
    expect(await search(engine, { type: 'images', maxResults: 100 })).toEqual({
      type: 'images',
      results: [
        {
          title: 'T',
          image: 'https://e.com/i.jpg',
          thumbnail: 'https://imgs.search.brave.com/t',
          url: 'https://e.com/p',
          height: 1080,
          width: 1920,
          source: 'e.com',
        },
      ],
    })
    expect(seen).toHaveLength(1)
    expect(seen[0] && parametersOf(seen[0])).not.toHaveProperty('offset')
  })

  it('returns suggestions', async () => {
    const { engine } = await engineWith(
      json({
        type: 'suggest',
        query: { original: 'alb' },
        results: [{ query: 'albert einstein' }, { query: 'albania' }],
      }),
    )
    expect(await search(engine, { type: 'suggestions', maxResults: 1 })).toEqual({
      type: 'suggestions',
      results: [{ phrase: 'albert einstein' }],
    })
  })

  it('requests pages while the API reports that there are more', async () => {
    const { engine, seen } = await engineWith((request, response) => {
      const offset = Number(parametersOf(request).offset)
      const results = Array.from({ length: 20 }, (_, index) => found(`https://e.com/${offset}/${index}`))
      json(webPage(results, offset < 2))(request, response)
    })
    expect((await search(engine, { maxResults: 30 })).results).toHaveLength(30)
    expect(seen).toHaveLength(2)
    expect((await search(engine, { maxResults: 100 })).results).toHaveLength(60)
    expect(seen).toHaveLength(5)
  })

  it('returns no results for an empty answer', async () => {
    const { engine } = await engineWith(
      json({ type: 'search', query: { original: 'x', more_results_available: false } }),
    )
    expect(await search(engine)).toEqual({ type: 'text', results: [] })
  })

  it.each([
    [401, {}, 'misconfigured'],
    [403, {}, 'misconfigured'],
    [
      422,
      { type: 'ErrorResponse', error: { code: 'SUBSCRIPTION_TOKEN_INVALID', detail: 'BSA-secret', status: 422 } },
      'misconfigured',
    ],
    [422, { type: 'ErrorResponse', error: { code: 'VALIDATION', status: 422 } }, 'misconfigured'],
    [422, 'x', 'misconfigured'],
    [503, {}, 'unavailable'],
  ])('converts the answer %i %o to a failure of type %s without the key', async (status, body, type) => {
    const { engine } = await engineWith(json(body, status))
    const error = await errorOf(search(engine))
    expect(error).toMatchObject({ type })
    expect(error.message).not.toContain('BSA-secret')
  })

  it.each([
    [{ 'retry-after': '9' }, 9],
    [{ 'x-ratelimit-remaining': '0, 1500', 'x-ratelimit-reset': '1, 1419704' }, 1],
    [{ 'x-ratelimit-remaining': '0, 0', 'x-ratelimit-reset': '1, 1419704' }, 1_419_704],
    [{ 'x-ratelimit-remaining': 'x', 'x-ratelimit-reset': 'y' }, undefined],
    [{}, undefined],
  ])('reports the retry time of a 429 with %o', async (headers, seconds) => {
    const { engine } = await engineWith(html('', 429, headers))
    const error = await errorOf(search(engine))
    expect(error.type).toBe('rate-limited')
    expect('retryAfterSeconds' in error ? error.retryAfterSeconds : undefined).toBe(seconds)
  })

  it.each(invalidAnswers)('converts %s to a failure of type %s', async (_, type, answer) => {
    const { engine } = await engineWith(answer)
    for (const kind of ['text', 'news', 'images', 'suggestions'] as const) {
      expect(await errorOf(search(engine, { type: kind }))).toMatchObject({ type })
    }
  })
})
