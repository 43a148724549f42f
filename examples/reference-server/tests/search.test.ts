import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey, type ServerProcess, startServer } from './server-process.ts'
import { startUpstream, type Upstream } from './upstream.ts'

const page = `<div id="links"><div class="result results_links web-result"><div class="links_main result__body">
<h2 class="result__title"><a class="result__a" href="https://example.com/a">Title A</a></h2>
<a class="result__snippet" href="https://example.com/a">Snip <b>bold</b></a></div></div></div>`

describe('search', () => {
  let upstream: Upstream
  let server: ServerProcess
  let key: string

  beforeAll(async () => {
    upstream = await startUpstream(({ body }, response) => {
      if (body.includes('blocked')) response.writeHead(202).end('<form id="challenge-form" action="//x"></form>')
      else response.setHeader('content-type', 'text/html').end(page)
    })
    server = await startServer({ environment: { DUCKDUCKGO_BASE_URL: upstream.url.replace('/v1', '') } })
    key = await createKey(server, { rate_limit: 100 })
  }, 60_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await upstream?.close()
  })

  const search = async (query: string) => {
    const response = await fetch(`${server.url}/search?${query}`, { headers: { authorization: `Bearer ${key}` } })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }

  it('returns results in one shape, by default of the first engine', async () => {
    expect(await search('q=cats&max_results=1')).toMatchObject({
      status: 200,
      body: {
        engine: 'duckduckgo',
        type: 'text',
        results: [{ title: 'Title A', href: 'https://example.com/a', body: 'Snip bold' }],
      },
    })
  })

  it('finds documents without another server', async () => {
    const { status, body } = await search('q=quota&engine=local')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      engine: 'local',
      results: expect.arrayContaining([expect.objectContaining({ href: expect.stringMatching(/^https:.*README/) })]),
    })
  })

  it('returns an error, not an empty list, when the engine blocks requests', async () => {
    const { status, headers, body } = await search('q=blocked')
    expect(status).toBeGreaterThanOrEqual(429)
    expect(body).toMatchObject({ error: { code: 'search_blocked' } })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it.each([
    ['', 'q'],
    ['q=x&engine=altavista', 'engine'],
    ['q=x&type=maps', 'type'],
    ['q=x&max_results=0', 'max_results'],
    ['q=x&safesearch=maybe', 'safesearch'],
  ])('refuses %j and names %s', async (query, param) => {
    expect(await search(query)).toMatchObject({
      status: 400,
      body: { error: { type: 'invalid_request_error', param } },
    })
  })
})
