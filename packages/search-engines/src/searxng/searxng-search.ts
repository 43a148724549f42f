import type { SearchEngine, SearchQuery, SearchResults } from '@trivium/gateway-core/ports'
import { SearchFailure } from '@trivium/gateway-core/ports'
import type { Dispatcher } from '@trivium/provider-kit'
import { answerFailure } from '../calls/answer-failure.ts'
import { collect } from '../calls/collect.ts'
import { createEngineCall } from '../calls/engine-call.ts'
import { parseJson } from '../reading/parse-json.ts'
import { suggestionList, suggestions } from '../reading/suggestions.ts'
import { imageResults, newsResults, type SearxngPage, searxngPage, textResults } from './searxng-results.ts'

/** Options of {@link searxngSearch}. Only `baseUrl` is required. */
export interface SearxngSearchOptions {
  /** The URL of the instance, which has to allow `json` in `search.formats`. */
  readonly baseUrl: string
  /** The name for the parameter `engine`. @default 'searxng' */
  readonly id?: string
  /** Headers of every request, such as credentials for a proxy. @default none */
  readonly headers?: Readonly<Record<string, string>>
  /** The most pages of one search. @default 10 */
  readonly maxPages?: number
  /** The most bytes of one page. @default 4 MiB */
  readonly maxAnswerBytes?: number
  /** Sends the requests. @default an agent of its own */
  readonly dispatcher?: Dispatcher
  /** The current time, for a `retry-after` that is a date. @default the system's clock */
  readonly now?: () => Date
}

/**
 * Creates an engine for a SearXNG instance, over its JSON interface. Each page of results is one request.
 *
 * @throws TypeError if `baseUrl` is not a URL
 *
 * @example
 * ```ts
 * import { searxngSearch } from '@trivium/search-engines/searxng'
 *
 * export const engine = searxngSearch({ baseUrl: 'http://127.0.0.1:8888' })
 * ```
 */
export function searxngSearch({
  baseUrl,
  id = 'searxng',
  headers = {},
  maxPages = 10,
  maxAnswerBytes,
  dispatcher,
  now = () => new Date(),
}: SearxngSearchOptions): SearchEngine {
  const base = baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`
  const ask = createEngineCall({ dispatcher, maxAnswerBytes })
  const types = new Set(['text', 'news', 'images', 'suggestions'] as const)
  const searchUrl = new URL('search', base)

  async function get(url: URL, parameters: Record<string, string>, signal: AbortSignal, more = {}): Promise<string> {
    const asked = new URL(url)
    for (const [name, value] of Object.entries(parameters)) asked.searchParams.set(name, value)
    const answer = await ask({ url: asked, headers: { accept: 'application/json', ...headers, ...more } }, signal)
    if (answer.status === 403) {
      throw new SearchFailure({
        type: 'misconfigured',
        message: 'The SearXNG instance does not allow the format json. Its settings must list it.',
      })
    }
    if (answer.status !== 200) throw answerFailure(answer, now)
    return answer.text
  }

  async function page(query: SearchQuery, number: number, signal: AbortSignal): Promise<SearxngPage> {
    const parameters = {
      q: queryText(query.text),
      format: 'json',
      categories: { text: 'general', news: 'news', images: 'images', suggestions: 'general' }[query.type],
      language: language(query.region),
      safesearch: { off: '0', moderate: '1', on: '2' }[query.safeSearch],
      pageno: String(number),
    }
    const answer = parseJson(await get(searchUrl, parameters, signal), searxngPage)
    if (answer.results.length === 0 && number === 1) throwIfSourcesFailed(answer)
    return answer
  }

  const results = <Result>(
    { query, signal }: { readonly query: SearchQuery; readonly signal: AbortSignal },
    read: (page: SearxngPage, base: string) => readonly Result[],
    keyOf: (result: Result) => string,
  ) =>
    collect(
      async (next) => {
        const number = typeof next === 'number' ? next : 1
        const answer = await page(query, number, signal)
        return { results: read(answer, base), next: answer.results.length > 0 ? number + 1 : undefined }
      },
      { maxResults: query.maxResults, maxPages, keyOf },
    )

  return {
    id,
    types,
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
          const asked = { q: queryText(query.text), language: language(query.region) }
          const url = new URL('autocompleter', base)
          const text = await get(url, asked, signal, { 'x-requested-with': 'XMLHttpRequest' })
          return { type: 'suggestions', results: suggestions(parseJson(text, suggestionList), query.maxResults) }
        }
      }
    },
  }
}

/** Removes `!!` before words, which causes redirects to other sites. */
const queryText = (text: string): string => text.replace(/(^|\s)!{2,}/g, '$1').trim() || `"${text}"`

/** Converts a region such as `us-en` to `en-US`. Other forms, which the instance refuses, become `all`. */
function language(region: string): string {
  const [country, tongue] = region.split('-')
  if (!country || !tongue || region === 'wt-wt') return 'all'
  const name = `${tongue}-${country === 'uk' ? 'GB' : country.toUpperCase()}`
  return /^[a-z]{2,3}-[A-Z]{2}$/.test(name) ? name : 'all'
}

/** Throws if the instance has no results because its own sources failed. */
function throwIfSourcesFailed({ unresponsive_engines }: SearxngPage): void {
  if (unresponsive_engines.length === 0) return
  const reasons = unresponsive_engines.map(([, reason]) => String(reason).toLowerCase())
  if (reasons.some((reason) => /captcha|access denied|suspended/.test(reason))) {
    throw new SearchFailure({ type: 'blocked', message: 'The search engines of the SearXNG instance block it.' })
  }
  if (reasons.some((reason) => /too many requests/.test(reason))) {
    throw new SearchFailure({
      type: 'rate-limited',
      message: 'The SearXNG instance has sent too many requests to its search engines.',
    })
  }
  throw new SearchFailure({ type: 'unavailable', message: 'No search engine of the SearXNG instance answers.' })
}
