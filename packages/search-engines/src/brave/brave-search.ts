import { type SearchEngine, SearchFailure, type SearchQuery, type SearchResults } from '@trivium/gateway-core/ports'
import type { Dispatcher } from '@trivium/provider-kit'
import * as v from 'valibot'
import { answerFailure } from '../calls/answer-failure.ts'
import { collect } from '../calls/collect.ts'
import { createEngineCall, type EngineAnswer } from '../calls/engine-call.ts'
import { parseJson } from '../reading/parse-json.ts'
import { suggestions } from '../reading/suggestions.ts'
import { braveRegion } from './brave-region.ts'
import { imageResults, newsResults, suggestionResults, textResults } from './brave-results.ts'

/** Options of {@link braveSearch}. Only `apiKey` is required. */
export interface BraveSearchOptions {
  /** Sent as `x-subscription-token`. Clients never get it. */
  readonly apiKey: string
  /** The name for the parameter `engine`. @default 'brave' */
  readonly id?: string
  /** The URL of the API. @default 'https://api.search.brave.com/res/v1' */
  readonly baseUrl?: string
  /** The most bytes of one page. @default 4 MiB */
  readonly maxAnswerBytes?: number
  /** Sends the requests. @default an agent of its own */
  readonly dispatcher?: Dispatcher
  /** The current time, for a `retry-after` that is a date. @default the system's clock */
  readonly now?: () => Date
}

/** The most results of a page, and the most pages. */
const pages = {
  text: { path: 'web/search', size: 20, count: 10 },
  news: { path: 'news/search', size: 50, count: 10 },
  images: { path: 'images/search', size: 200, count: 1 },
  suggestions: { path: 'suggest/search', size: 20, count: 1 },
} as const

/**
 * Creates an engine for the Brave Search API, with a key of the host. Each page of results is one request: 20 texts, 50
 * news or 200 images. A query is cut after 50 words and 400 characters.
 *
 * @throws TypeError if `baseUrl` is not a URL
 *
 * @example
 * ```ts
 * import { braveSearch } from '@trivium/search-engines/brave'
 *
 * export const engine = braveSearch({ apiKey: 'BSA…' })
 * ```
 */
export function braveSearch({
  apiKey,
  id = 'brave',
  baseUrl = 'https://api.search.brave.com/res/v1',
  maxAnswerBytes,
  dispatcher,
  now = () => new Date(),
}: BraveSearchOptions): SearchEngine {
  const ask = createEngineCall({ dispatcher, maxAnswerBytes })
  const base = new URL(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`)
  const headers = { accept: 'application/json', 'x-subscription-token': apiKey }

  async function get(query: SearchQuery, offset: number, signal: AbortSignal): Promise<string> {
    const { path, size, count } = pages[query.type]
    const url = new URL(path, base)
    const parameters = {
      q: shortened(query.text),
      count: String(Math.min(query.maxResults, size)),
      ...braveRegion(query.region, query.type === 'suggestions' ? 'lang' : 'search_lang'),
      ...(query.type === 'suggestions' ? {} : { safesearch: safeSearch(query) }),
      ...(query.type === 'text' || query.type === 'news' ? { text_decorations: 'false' } : {}),
      ...(count > 1 ? { offset: String(offset) } : {}),
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    const answer = await ask({ url, headers }, signal)
    if (answer.status !== 200) throw refused(answer, now)
    return answer.text
  }

  const results = <Result>(
    { query, signal }: { readonly query: SearchQuery; readonly signal: AbortSignal },
    read: (text: string) => { readonly results: readonly Result[]; readonly more: boolean },
    keyOf: (result: Result) => string,
  ) =>
    collect(
      async (next) => {
        const offset = typeof next === 'number' ? next : 0
        const { results: found, more } = read(await get(query, offset, signal))
        return { results: found, next: more ? offset + 1 : undefined }
      },
      { maxResults: query.maxResults, maxPages: pages[query.type].count, keyOf },
    )

  return {
    id,
    types: new Set(['text', 'news', 'images', 'suggestions'] as const),
    search: async (query, { signal }): Promise<SearchResults> => {
      const search = { query, signal }
      switch (query.type) {
        case 'text':
          return { type: 'text', results: await results(search, textResults, ({ href }) => href) }
        case 'news':
          return { type: 'news', results: await results(search, newsResults, ({ url }) => url) }
        case 'images':
          return { type: 'images', results: await results(search, imageResults, ({ image }) => image) }
        case 'suggestions': {
          const list = suggestionResults(await get(query, 0, signal))
          return { type: 'suggestions', results: suggestions(list, query.maxResults) }
        }
      }
    },
  }
}

/** The API accepts 400 characters and 50 words. */
const shortened = (text: string): string => [...text.split(/\s+/).slice(0, 50).join(' ')].slice(0, 400).join('').trim()

function safeSearch({ type, safeSearch: wanted }: SearchQuery): string {
  if (wanted === 'off') return 'off'
  return wanted === 'on' || type === 'images' ? 'strict' : 'moderate'
}

const errorAnswer = v.object({ error: v.object({ code: v.optional(v.string(), '') }) })

function refused(answer: EngineAnswer, now: () => Date): SearchFailure {
  if (answer.status === 429) {
    const { error } = answerFailure(answer, now)
    const seconds = windowReset(answer)
    return new SearchFailure({ ...error, ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }) })
  }
  if (answer.status !== 422) return answerFailure(answer, now)
  const code = codeOf(answer.text)
  return new SearchFailure({
    type: 'misconfigured',
    message: /TOKEN|SUBSCRIPTION/.test(code)
      ? 'The search engine refuses the key of the gateway.'
      : 'The search engine refuses the query.',
  })
}

function codeOf(text: string): string {
  try {
    return parseJson(text, errorAnswer).error.code
  } catch {
    return ''
  }
}

/** Returns the seconds until the exhausted limits, per second and per month, start again. */
function windowReset({ headers }: EngineAnswer): number | undefined {
  const numbers = (name: string) =>
    String(headers[name] ?? '')
      .split(',')
      .map((value) => Number.parseInt(value, 10))
  const remaining = numbers('x-ratelimit-remaining')
  const resets = numbers('x-ratelimit-reset').filter((seconds, index) => remaining[index] === 0 && seconds >= 0)
  return resets.length === 0 ? undefined : Math.max(...resets)
}
