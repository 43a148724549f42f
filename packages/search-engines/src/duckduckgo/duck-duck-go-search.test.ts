import { describe, expect, it } from 'vitest'
import { type SeenRequest, upstreamServer } from '../../../gateway-core/tests/upstream-server.ts'
import { type Answering, errorOf, html, invalidAnswers, json, parametersOf, search } from '../../tests/searches.ts'
import { type DuckDuckGoSearchOptions, duckDuckGoSearch } from './duck-duck-go-search.ts'

const VQD_PAGE = `<script>DDG.ready();vqd="4-123456789012345678901234567890";</script>`

async function engineWith(
  answers: Readonly<Record<string, Answering>>,
  options: Partial<DuckDuckGoSearchOptions> = {},
) {
  const server = await upstreamServer((request, response) => {
    const answer = answers[request.path.split('?')[0] ?? '']
    if (answer) answer(request, response)
    else html('', 404)(request, response)
  })
  return { ...server, engine: duckDuckGoSearch({ baseUrl: server.origin, ...options }) }
}

const item = (
  href: string,
  { title = 'Title', snippet = 'Snip <b>bold</b> &amp; more', classes = 'web-result' } = {},
) =>
  `<div class="result results_links ${classes}"><div class="links_main result__body"><h2 class="result__title"><a class="result__a" href="${href}">${title}</a></h2><a class="result__snippet" href="${href}">${snippet}</a></div></div>`

const nextForm = (s: number, more = '') =>
  `<div class="nav-link"><form action="/html/" method="post"><input type="submit" value="Next"><input type="hidden" name="q" value="evil"><input type="hidden" name="s" value="${s}"><input type="hidden" name="nextParams" value=""><input type="hidden" name="v" value="l"><input type="hidden" name="o" value="json"><input type="hidden" name="dc" value="${s + 1}"><input type="hidden" name="api" value="d.js"><input type="hidden" name="vqd" value="4-99">${more}</form></div>`

const htmlPage = (...parts: readonly string[]) => `<html><body><div id="links">${parts.join('\n')}</div></body></html>`

const liteRow = (href: string, title = 'T', snippet = 'S', row = '') =>
  `<tr class="${row}"><td>1.&nbsp;</td><td><a rel="nofollow" href="${href}" class='result-link'>${title}</a></td></tr><tr class="${row}"><td>&nbsp;</td><td class='result-snippet'>${snippet}</td></tr><tr class="${row}"><td>&nbsp;</td><td><span class='link-text'>e.com</span></td></tr><tr><td>&nbsp;</td></tr>`

const CHALLENGE = `<form id="challenge-form" action="//duckduckgo.com/anomaly.js?sv=html" method="POST"></form>`
const challenge = html(CHALLENGE, 202)

describe('a text search with duckDuckGoSearch', () => {
  it('reads the results of the page', async () => {
    const { engine, seen } = await engineWith({
      '/html/': html(
        htmlPage(
          item('https://duckduckgo.com/y.js?ad_domain=x&amp;u3=y', { classes: 'result--ad', title: 'Buy' }),
          item('https://duckduckgo.com/y.js?ad_domain=x', { title: 'Buy too' }),
          item('https://example.com/a', { title: 'Title <b>A</b>' }),
          item('//duckduckgo.com/l/?uddg=https%3A%2F%2Fe.com%2Fb%3Fx%3D1%26y%3D2&amp;rut=abc'),
          item('//duckduckgo.com/l/?uddg=javascript%3Aalert(1)'),
          item('javascript:alert(1)'),
          item('https://example.com/c', { title: '', snippet: 'No title' }),
          item('https://example.com/d', { snippet: `multi\n  line<script>evil()</script>` }),
        ),
      ),
    })
    expect(await search(engine, { region: 'us-en', safeSearch: 'off' })).toEqual({
      type: 'text',
      results: [
        { title: 'Title A', href: 'https://example.com/a', body: 'Snip bold & more' },
        { title: 'Title', href: 'https://e.com/b?x=1&y=2', body: 'Snip bold & more' },
        { title: 'Title', href: 'https://example.com/d', body: 'multi line' },
      ],
    })
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({
      method: 'POST',
      headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin', cookie: 'kp=-2' },
    })
    expect(seen[0]?.headers['user-agent']).toMatch(/^Mozilla/)
    expect(seen[0] && parametersOf(seen[0])).toEqual({ q: 'cats & dogs', b: '', kl: 'us-en', kp: '-2' })
  })

  it('continues with the known fields of the form on the page', async () => {
    const { engine, seen } = await engineWith({
      '/html/': (request, response) => {
        const s = Number(parametersOf(request).s ?? 0)
        const count = s === 0 ? 10 : 15
        const items = Array.from({ length: count }, (_, index) => item(`https://e.com/${s + index}`))
        const back = s > 0 ? nextForm(0) : ''
        const more = '<input name="evil" value="1"><input name="kl" value="xx-xx">'
        html(htmlPage(...items, back, s < 40 ? nextForm(s + count, more) : ''))(request, response)
      },
    })
    expect((await search(engine, { maxResults: 30 })).results).toHaveLength(30)
    expect(seen.map((request) => parametersOf(request))).toEqual([
      { q: 'cats & dogs', b: '', kl: 'wt-wt', kp: '-1' },
      ...[10, 25].map((s) => ({
        q: 'cats & dogs',
        b: '',
        kl: 'wt-wt',
        kp: '-1',
        s: String(s),
        nextParams: '',
        v: 'l',
        o: 'json',
        dc: String(s + 1),
        api: 'd.js',
        vqd: '4-99',
      })),
    ])
    expect((await search(engine, { maxResults: 100 })).results).toHaveLength(55)
  })

  it('returns no results for a page without any', async () => {
    const { engine } = await engineWith({ '/html/': html(htmlPage('<div class="no-results">No  results.</div>')) })
    expect(await search(engine)).toEqual({ type: 'text', results: [] })
  })

  it.each([
    ['another page', html('<html><script>var a = "No results"</script><h1>Welcome</h1></html>')],
    ['nothing', html('')],
    ['an error', html('', 500)],
    ['a redirect', html('', 301, { location: 'https://duckduckgo.com/' })],
    ['too much', html('x'.repeat(6 * 2 ** 20))],
  ])('fails for %s', async (_, answer) => {
    const { engine } = await engineWith({ '/html/': answer })
    expect(await errorOf(search(engine))).toMatchObject({ type: 'unavailable' })
  })

  it.each([
    ['all', 'wt-wt'],
    ['wt-wt', 'wt-wt'],
    ['uk-en', 'uk-en'],
    ['tw-zh', 'tw-tzh'],
    ['hk-tzh', 'hk-tzh'],
    ['jp-ja', 'jp-jp'],
    ['kr-ko', 'kr-kr'],
  ])('sends the region %s as %s', async (region, kl) => {
    const { engine, seen } = await engineWith({ '/html/': html(htmlPage(item('https://e.com'))) })
    await search(engine, { region })
    expect(seen[0] && parametersOf(seen[0]).kl).toBe(kl)
  })

  it.each([
    ['!g cats', 'g cats'],
    ['cats w!', 'cats w'],
    ['\\cats', 'cats'],
    ['a != b, !!important', 'a = b, important'],
    ['Yahoo!Answers', 'Yahoo!Answers'],
    ['!', '"!"'],
    [`${'x'.repeat(498)}!Answers`, 'x'.repeat(498)],
  ])('sends %j as %j, which cannot redirect to another site', async (text, q) => {
    const { engine, seen } = await engineWith({ '/html/': html(htmlPage(item('https://e.com'))) })
    await search(engine, { text })
    expect(seen[0] && parametersOf(seen[0]).q).toBe(q)
  })

  it('shortens long queries', async () => {
    const { engine, seen } = await engineWith({ '/html/': html(htmlPage(item('https://e.com'))) })
    await search(engine, { text: '🌍'.repeat(1000) })
    expect(seen[0] && parametersOf(seen[0]).q).toBe('🌍'.repeat(499))
  })
})

describe('a blocked search with duckDuckGoSearch', () => {
  const lite = html(
    `<table>${liteRow('https://duckduckgo.com/y.js?ad=1', 'Ad', 'Buy', 'result-sponsored')}${liteRow('//duckduckgo.com/l/?uddg=https%3A%2F%2Fe.com%2Fx', 'T &amp; <b>U</b>')}</table>`,
  )

  it.each([
    ['a status', challenge],
    ['a challenge', html(CHALLENGE)],
    ['a refusal', html('', 403)],
  ])('uses the lite page after %s', async (_, blocked) => {
    const { engine, seen } = await engineWith({ '/html/': blocked, '/lite/': lite })
    expect(await search(engine)).toEqual({
      type: 'text',
      results: [{ title: 'T & U', href: 'https://e.com/x', body: 'S' }],
    })
    expect(seen.map(({ path }) => path)).toEqual(['/html/', '/lite/'])
  })

  it.each([
    [{}, 60],
    [{ 'retry-after': '120' }, 120],
    [{ 'retry-after': 'x' }, 60],
  ])('fails as blocked with a retry time if all pages are blocked (%o)', async (headers, retryAfterSeconds) => {
    const blocked = html(CHALLENGE, 202, headers)
    const { engine } = await engineWith({ '/html/': blocked, '/lite/': blocked, '/': blocked, '/ac/': blocked })
    for (const type of ['text', 'news', 'images', 'suggestions'] as const) {
      expect(await errorOf(search(engine, { type }))).toEqual({
        type: 'blocked',
        message: 'DuckDuckGo treats this gateway as a robot.',
        retryAfterSeconds,
      })
    }
  })

  it('returns no results for a lite page without any', async () => {
    const { engine } = await engineWith({ '/html/': challenge, '/lite/': html('<span>No more results.</span>') })
    expect(await search(engine)).toEqual({ type: 'text', results: [] })
  })

  it('fails as rate limited for status 429', async () => {
    const { engine } = await engineWith({ '/html/': html('', 429, { 'retry-after': '5' }) })
    expect(await errorOf(search(engine))).toMatchObject({ type: 'rate-limited', retryAfterSeconds: 5 })
  })
})

describe('a news search with duckDuckGoSearch', () => {
  const article = (url: string) => ({
    date: 1_700_000_000,
    title: 'N',
    excerpt: 'Some <b>text</b>',
    url,
    image: 'https://n.com/i.jpg',
    source: 'N News',
    relative_time: '2 hours ago',
    syndicate: 'Bing',
  })

  it('sends the token of the query', async () => {
    const { engine, seen } = await engineWith({
      '/': html(VQD_PAGE),
      '/news.js': json({
        results: [article('https://n.com/1'), { ...article('ftp://n.com'), title: 'X' }],
        query: 'n',
      }),
    })
    expect(await search(engine, { type: 'news', safeSearch: 'on', region: 'de-de' })).toEqual({
      type: 'news',
      results: [
        {
          date: '2023-11-14T22:13:20.000Z',
          title: 'N',
          body: 'Some text',
          url: 'https://n.com/1',
          image: 'https://n.com/i.jpg',
          source: 'N News',
        },
      ],
    })
    expect(seen.map((request) => parametersOf(request))).toEqual([
      { q: 'cats & dogs' },
      { l: 'de-de', o: 'json', q: 'cats & dogs', vqd: '4-123456789012345678901234567890', noamp: '1', p: '1', s: '0' },
    ])
  })

  it.each([
    ['on', '1'],
    ['moderate', '-1'],
    ['off', '-2'],
  ] as const)('sends safe search %s as p=%s', async (safeSearch, p) => {
    const { engine, seen } = await engineWith({ '/': html(VQD_PAGE), '/news.js': json({ results: [] }) })
    await search(engine, { type: 'news', safeSearch })
    expect(seen[1] && parametersOf(seen[1])).toMatchObject({ p })
  })

  it('continues while there is a next page', async () => {
    const { engine, seen } = await engineWith({
      '/': html(VQD_PAGE),
      '/news.js': (request, response) => {
        const s = Number(parametersOf(request).s)
        const results = Array.from({ length: 30 }, (_, index) => article(`https://n.com/${s + index}`))
        json({ results, ...(s < 60 ? { next: `news.js?s=${s + 30}` } : {}) })(request, response)
      },
    })
    expect((await search(engine, { type: 'news', maxResults: 70 })).results).toHaveLength(70)
    expect(seen.map((request) => parametersOf(request).s)).toEqual([undefined, '0', '30', '60'])
  })
})

describe('an image search with duckDuckGoSearch', () => {
  const answer = json({
    results: [
      {
        title: 'Cat',
        image: 'https://e.com/c.jpg',
        thumbnail: 'https://tse1.mm.bing.net/th?id=1',
        url: 'https://e.com/p',
        height: 800,
        width: 600,
        source: 'Bing',
      },
    ],
    next: 'i.js?q=cat&o=json&p=1&s=100',
    query: 'cat',
  })

  it('reads the results', async () => {
    const { engine } = await engineWith({ '/': html(VQD_PAGE), '/i.js': answer })
    expect(await search(engine, { type: 'images', maxResults: 1 })).toEqual({
      type: 'images',
      results: [
        {
          title: 'Cat',
          image: 'https://e.com/c.jpg',
          thumbnail: 'https://tse1.mm.bing.net/th?id=1',
          url: 'https://e.com/p',
          height: 800,
          width: 600,
          source: 'Bing',
        },
      ],
    })
  })

  it.each([
    ['on', '1'],
    ['moderate', '1'],
    ['off', '-1'],
  ] as const)('sends safe search %s as p=%s', async (safeSearch, p) => {
    const { engine, seen } = await engineWith({ '/': html(VQD_PAGE), '/i.js': answer })
    await search(engine, { type: 'images', safeSearch, maxResults: 1 })
    expect(seen[1] && parametersOf(seen[1])).toMatchObject({ p, s: '0' })
  })

  it('keeps a token for an hour, and requests another when it is refused', async () => {
    let now = 0
    let refuses = false
    const { engine, seen } = await engineWith(
      {
        '/': html(VQD_PAGE),
        '/i.js': (request, response) => {
          const refused = refuses
          refuses = false
          if (refused) html('', 403)(request, response)
          else answer(request, response)
        },
      },
      { now: () => new Date(now) },
    )
    const ask = () => search(engine, { type: 'images', maxResults: 1 })
    const tokens = () => seen.filter(({ path }: SeenRequest) => path.startsWith('/?q=')).length
    await ask()
    now += 3_599_000
    await ask()
    expect(tokens()).toBe(1)
    now += 2000
    await ask()
    expect(tokens()).toBe(2)
    refuses = true
    await ask()
    expect(tokens()).toBe(3)
  })

  it.each([
    ['without a token', html('<html></html>'), 'unavailable'],
    ['with a challenge', html(CHALLENGE), 'blocked'],
  ])('fails for a page %s', async (_, page, type) => {
    const { engine } = await engineWith({ '/': page })
    expect(await errorOf(search(engine, { type: 'images' }))).toMatchObject({ type })
  })
})

describe('suggestions of duckDuckGoSearch', () => {
  it.each([
    ['objects', [{ phrase: 'cats' }, { phrase: 'cat memes' }]],
    ['a list', ['cat', ['cats', 'cat memes']]],
  ])('come from %s', async (_, answer) => {
    const { engine, seen } = await engineWith({ '/ac/': json(answer) })
    expect(await search(engine, { type: 'suggestions', region: 'us-en' })).toEqual({
      type: 'suggestions',
      results: [{ phrase: 'cats' }, { phrase: 'cat memes' }],
    })
    expect(seen[0] && parametersOf(seen[0])).toEqual({ q: 'cats & dogs', kl: 'us-en' })
  })
})

describe('an invalid answer to duckDuckGoSearch', () => {
  it.each(invalidAnswers)('(%s) fails as %s', async (_, type, answer) => {
    const { engine } = await engineWith({ '/': html(VQD_PAGE), '/news.js': answer, '/i.js': answer, '/ac/': answer })
    for (const kind of ['news', 'images', 'suggestions'] as const) {
      expect(await errorOf(search(engine, { type: kind }))).toMatchObject({ type })
    }
  })
})
