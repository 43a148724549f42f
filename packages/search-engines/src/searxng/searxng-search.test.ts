import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { unusedOrigin, upstreamServer } from '../../../gateway-core/tests/upstream-server.ts'
import { type Answering, errorOf, html, invalidAnswers, json, parametersOf, search } from '../../tests/searches.ts'
import { type SearxngSearchOptions, searxngSearch } from './searxng-search.ts'

async function engineWith(answer: Answering, options: Partial<SearxngSearchOptions> = {}) {
  const server = await upstreamServer(answer)
  return { ...server, engine: searxngSearch({ baseUrl: `${server.origin}/searx`, ...options }) }
}

const page = (results: readonly unknown[], unresponsive: readonly unknown[] = []) => ({
  query: 'x',
  results,
  answers: [],
  corrections: [],
  infoboxes: [],
  suggestions: ['x y'],
  unresponsive_engines: unresponsive,
})

const found = (url: string, more: object = {}) => ({
  url,
  title: 'T',
  content: 'C',
  engine: 'brave',
  engines: ['brave'],
  category: 'general',
  score: 1,
  publishedDate: null,
  ...more,
})

const only =
  (...results: readonly unknown[]): Answering =>
  (request, response) =>
    json(page(parametersOf(request).pageno === '1' ? results : []))(request, response)

describe('searxngSearch', () => {
  it('finds pages', async () => {
    const { engine, seen } = await engineWith(
      only(found('https://e.com', { title: 'A <b>bold</b> &amp; plain', content: null }), found('javascript:alert(1)')),
      { headers: { authorization: 'Basic x' } },
    )
    expect(await search(engine)).toEqual({
      type: 'text',
      results: [{ title: 'A bold & plain', href: 'https://e.com/', body: '' }],
    })
    expect(seen[0]?.path.startsWith('/searx/search?')).toBe(true)
    expect(seen[0]?.headers.authorization).toBe('Basic x')
    expect(seen[0] && parametersOf(seen[0])).toEqual({
      q: 'cats & dogs',
      format: 'json',
      categories: 'general',
      language: 'all',
      safesearch: '1',
      pageno: '1',
    })
  })

  it.each([
    [
      { region: 'us-en', safeSearch: 'on' as const },
      { language: 'en-US', safesearch: '2' },
    ],
    [
      { region: 'uk-en', safeSearch: 'off' as const },
      { language: 'en-GB', safesearch: '0' },
    ],
    [{ region: 'wt-wt' }, { language: 'all', safesearch: '1' }],
    [{ type: 'news' as const }, { categories: 'news' }],
    [{ type: 'images' as const }, { categories: 'images' }],
  ])('sends %o as %o', async (fields, parameters) => {
    const { engine, seen } = await engineWith(json(page([])))
    await search(engine, fields)
    expect(seen[0] && parametersOf(seen[0])).toMatchObject(parameters)
  })

  it.each([
    [{ text: '!!g cats' }, { q: 'g cats' }],
    [{ text: 'cats !!w !!' }, { q: 'cats w' }],
    [{ text: '!images cats!!' }, { q: '!images cats!!' }],
    [{ text: '!!' }, { q: '"!!"' }],
    [{ region: 'hk-tzh' }, { language: 'tzh-HK' }],
    [{ region: 'usa-en' }, { language: 'all' }],
    [{ region: 'us-engl' }, { language: 'all' }],
  ])('replaces values that the instance refuses or redirects: %o as %o', async (fields, parameters) => {
    const { engine, seen } = await engineWith(json({ results: [] }))
    await search(engine, fields)
    expect(seen[0] && parametersOf(seen[0])).toMatchObject(parameters)
  })

  it('finds news', async () => {
    const { engine, origin } = await engineWith(
      only(
        found('https://n.com/1', { publishedDate: '2026-01-15T14:30:00', source: 'N', img_src: '/proxy?u=1' }),
        found('https://www.n.com/2', { publishedDate: 'soon', thumbnail: 'data:image/png;base64,xx' }),
      ),
    )
    expect(await search(engine, { type: 'news' })).toMatchObject({
      type: 'news',
      results: [
        {
          date: '2026-01-15T14:30:00.000Z',
          title: 'T',
          body: 'C',
          url: 'https://n.com/1',
          image: `${origin}/proxy?u=1`,
          source: 'N',
        },
        { date: null, url: 'https://www.n.com/2', image: null, source: 'n.com' },
      ],
    })
  })

  it('finds images', async () => {
    const picture = {
      url: 'https://e.com/p',
      title: 'T',
      template: 'images.html',
      img_src: 'https://e.com/i.jpg',
      thumbnail_src: '//e.com/t.jpg',
      resolution: '1920 x 1080',
      img_format: 'jpeg',
      source: 'e.com',
      engine: 'bing images',
      category: 'images',
    }
    const { engine } = await engineWith(
      only(picture, { ...picture, img_src: 'https://e.com/j.jpg', thumbnail_src: '', resolution: null, source: null }),
    )
    expect(await search(engine, { type: 'images' })).toEqual({
      type: 'images',
      results: [
        {
          title: 'T',
          image: 'https://e.com/i.jpg',
          thumbnail: 'http://e.com/t.jpg',
          url: 'https://e.com/p',
          height: 1080,
          width: 1920,
          source: 'e.com',
        },
        {
          title: 'T',
          image: 'https://e.com/j.jpg',
          thumbnail: 'https://e.com/j.jpg',
          url: 'https://e.com/p',
          height: null,
          width: null,
          source: 'bing images',
        },
      ],
    })
  })

  it.each([
    ['a list', ['cats', 'cats ', 'cat memes']],
    ['a question with its list', ['cat', ['cats', 'cat memes'], [], [], { 'google:suggestrelevance': [1] }]],
  ])('returns suggestions from %s', async (_, answer) => {
    const { engine, seen } = await engineWith(json(answer))
    expect(await search(engine, { type: 'suggestions' })).toEqual({
      type: 'suggestions',
      results: [{ phrase: 'cats' }, { phrase: 'cat memes' }],
    })
    expect(seen[0]?.path.startsWith('/searx/autocompleter?q=')).toBe(true)
    expect(seen[0]?.headers['x-requested-with']).toBe('XMLHttpRequest')
  })

  it('requests pages until there are enough results, without duplicates', async () => {
    const { engine, seen } = await engineWith((request, response) => {
      const number = Number(parametersOf(request).pageno)
      const results = Array.from({ length: 10 }, (_, index) => found(`https://e.com/${number * 8 + index}`))
      json(page(results))(request, response)
    })
    const answer = await search(engine, { maxResults: 25 })
    expect(answer.results).toHaveLength(25)
    expect(new Set(answer.results.map((result) => JSON.stringify(result))).size).toBe(25)
    expect(seen).toHaveLength(3)
  })

  it('stops after an empty page, a page without new results, or the most pages', async () => {
    const empty = await engineWith(only(found('https://e.com/1')))
    await search(empty.engine, { maxResults: 50 })
    const same = await engineWith(json(page([found('https://e.com/1')])))
    await search(same.engine, { maxResults: 50 })
    const endless = await engineWith(
      (request, response) => json(page([found(`https://e.com/${parametersOf(request).pageno}`)]))(request, response),
      { maxPages: 4 },
    )
    expect((await search(endless.engine, { maxResults: 50 })).results).toHaveLength(4)
    expect([empty.seen.length, same.seen.length]).toEqual([2, 2])
  })

  it('keeps the results when a later page fails', async () => {
    const { engine } = await engineWith((request, response) => {
      if (parametersOf(request).pageno === '1') json(page([found('https://e.com/1')]))(request, response)
      else html('', 500)(request, response)
    })
    expect((await search(engine)).results).toHaveLength(1)
  })

  it.each([
    [[['google', 'CAPTCHA']], 'blocked'],
    [[['google', 'Suspended: access denied']], 'blocked'],
    [[['brave', 'too many requests']], 'rate-limited'],
    [[['brave', 'timeout']], 'unavailable'],
  ])('converts failed sources %o to a failure of type %s', async (unresponsive, type) => {
    const { engine } = await engineWith(json(page([], unresponsive)))
    expect(await errorOf(search(engine))).toMatchObject({ type })
  })

  it('reports an instance that does not allow JSON', async () => {
    const { engine } = await engineWith(html('<h1>Forbidden', 403))
    const error = await errorOf(search(engine))
    expect(error).toMatchObject({ type: 'misconfigured' })
    expect(error.message).toContain('json')
  })

  it.each(invalidAnswers)('converts %s to a failure of type %s', async (_, type, answer) => {
    const { engine } = await engineWith(answer)
    for (const kind of ['text', 'news', 'images', 'suggestions'] as const) {
      expect(await errorOf(search(engine, { type: kind }))).toMatchObject({ type })
    }
  })

  it('reports an unreachable instance as unavailable, without its address', async () => {
    const origin = await unusedOrigin()
    const error = await errorOf(search(searxngSearch({ baseUrl: origin })))
    expect(error).toMatchObject({ type: 'unavailable' })
    expect(error.message).not.toContain(new URL(origin).port)
  })

  it('closes the connection immediately when the signal aborts', async () => {
    const controller = new AbortController()
    let closed: Promise<unknown> = Promise.resolve()
    const { engine } = await engineWith((_, response) => {
      closed = once(response, 'close')
      controller.abort()
    })
    expect(await errorOf(search(engine, {}, controller.signal))).toMatchObject({ type: 'unavailable' })
    await closed
  })
})
