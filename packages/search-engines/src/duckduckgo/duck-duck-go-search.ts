import type { SearchEngine, SearchResults } from '@trivium/gateway-core/ports'
import type { Dispatcher } from '@trivium/provider-kit'
import { parseJson } from '../reading/parse-json.ts'
import { suggestionList, suggestions } from '../reading/suggestions.ts'
import { searchImages, searchNews } from './json-search.ts'
import { duckDuckGoRegion, queryText } from './parameters.ts'
import { queryTokens } from './query-tokens.ts'
import { session as createSession } from './session.ts'
import { searchText } from './text-search.ts'

/** Options of {@link duckDuckGoSearch}. Each has a default. */
export interface DuckDuckGoSearchOptions {
  /** The name for the parameter `engine`. @default 'duckduckgo' */
  readonly id?: string
  /** One origin for all of DuckDuckGo's hosts. @default their own origins */
  readonly baseUrl?: string
  /** The header `user-agent`. @default that of a Firefox browser */
  readonly userAgent?: string
  /** The retry time after a block whose answer has none. @default 60 */
  readonly blockedRetrySeconds?: number
  /** The most bytes of one page. @default 4 MiB */
  readonly maxAnswerBytes?: number
  /** Sends the requests. @default an agent of its own */
  readonly dispatcher?: Dispatcher
  /** The current time, for `retry-after` and the lifetime of query tokens. @default the system's clock */
  readonly now?: () => Date
}

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/**
 * Creates an engine that reads DuckDuckGo's pages. It needs no key and has no guarantee: DuckDuckGo may treat a server
 * as a robot at any time, and then every search is `blocked`.
 *
 * @throws TypeError if `baseUrl` is not a URL
 *
 * @example
 * ```ts
 * import { duckDuckGoSearch } from '@trivium/search-engines/duckduckgo'
 *
 * export const engine = duckDuckGoSearch()
 * ```
 */
export function duckDuckGoSearch({
  id = 'duckduckgo',
  baseUrl,
  userAgent = BROWSER,
  blockedRetrySeconds = 60,
  maxAnswerBytes,
  dispatcher,
  now = () => new Date(),
}: DuckDuckGoSearchOptions = {}): SearchEngine {
  const session = createSession({ baseUrl, userAgent, blockedRetrySeconds, maxAnswerBytes, dispatcher, now })
  const tokens = queryTokens({ session, now })
  return {
    id,
    types: new Set(['text', 'news', 'images', 'suggestions'] as const),
    search: async (query, { signal }): Promise<SearchResults> => {
      switch (query.type) {
        case 'text':
          return { type: 'text', results: await searchText(session, query, signal) }
        case 'news':
          return { type: 'news', results: await searchNews({ session, tokens, query, signal }) }
        case 'images':
          return { type: 'images', results: await searchImages({ session, tokens, query, signal }) }
        case 'suggestions': {
          const url = new URL('/ac/', session.site)
          url.searchParams.set('q', queryText(query.text))
          url.searchParams.set('kl', duckDuckGoRegion(query.region))
          const list = parseJson(await session.ask({ url }, signal), suggestionList)
          return { type: 'suggestions', results: suggestions(list, query.maxResults) }
        }
      }
    },
  }
}
