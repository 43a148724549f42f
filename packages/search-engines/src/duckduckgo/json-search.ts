import { type ImageResult, type NewsResult, SearchFailure, type SearchQuery } from '@trivium/gateway-core/ports'
import { collect } from '../calls/collect.ts'
import { parseJson } from '../reading/parse-json.ts'
import { imageResults, jsonPage, newsResults } from './json-results.ts'
import { duckDuckGoRegion, queryText } from './parameters.ts'
import type { QueryTokens } from './query-tokens.ts'
import type { Session } from './session.ts'

export interface JsonSearch {
  readonly session: Session
  readonly tokens: QueryTokens
  readonly query: SearchQuery
  readonly signal: AbortSignal
}

export const searchNews = (search: JsonSearch): Promise<readonly NewsResult[]> =>
  pagesOf(search, {
    path: '/news.js',
    pageSize: 30,
    parameters: { noamp: '1', p: { on: '1', moderate: '-1', off: '-2' }[search.query.safeSearch] },
    read: newsResults,
    keyOf: ({ url }) => url,
  })

export const searchImages = (search: JsonSearch): Promise<readonly ImageResult[]> =>
  pagesOf(search, {
    path: '/i.js',
    pageSize: 100,
    parameters: { f: ',,,,,', p: search.query.safeSearch === 'off' ? '-1' : '1' },
    read: imageResults,
    keyOf: ({ image }) => image,
  })

interface Kind<Result> {
  readonly path: '/news.js' | '/i.js'
  readonly pageSize: number
  readonly parameters: Readonly<Record<string, string>>
  readonly read: (items: readonly unknown[]) => readonly Result[]
  readonly keyOf: (result: Result) => string
}

const MAX_PAGES = 5

function pagesOf<Result>(
  { session, tokens, query, signal }: JsonSearch,
  { path, pageSize, parameters, read, keyOf }: Kind<Result>,
): Promise<readonly Result[]> {
  const text = queryText(query.text)

  async function get(page: number): Promise<string> {
    const url = new URL(path, session.site)
    const asked = {
      l: duckDuckGoRegion(query.region),
      o: 'json',
      q: text,
      vqd: await tokens.find(text, signal),
      ...parameters,
      s: String(page * pageSize),
    }
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
    const headers = { accept: 'application/json', 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }
    return session.ask({ url, headers }, signal)
  }

  /** DuckDuckGo refuses an old token in the same way as robots, so a block is tried again with a new token. */
  async function getWithFreshToken(page: number): Promise<string> {
    try {
      return await get(page)
    } catch (thrown) {
      if (!SearchFailure.is(thrown) || thrown.error.type !== 'blocked' || !tokens.forget(text)) throw thrown
      return get(page)
    }
  }

  return collect(
    async (next) => {
      const page = typeof next === 'number' ? next : 0
      const answer = parseJson(await getWithFreshToken(page), jsonPage)
      return { results: read(answer.results), next: answer.next ? page + 1 : undefined }
    },
    { maxResults: query.maxResults, maxPages: MAX_PAGES, keyOf },
  )
}
