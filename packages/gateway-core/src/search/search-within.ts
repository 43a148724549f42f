import type { SearchEngine, SearchQuery } from './search-engine.ts'
import { type SearchError, SearchFailure } from './search-error.ts'
import type { SearchResults } from './search-result.ts'

/** Why a search returned no results. */
export type EngineFailure = SearchError | { readonly type: 'cancelled'; readonly message: string }

/**
 * Searches with a timeout, even where the engine ignores its signal, and returns at most `maxResults` results.
 *
 * @throws SearchFailure, or any error of the engine
 */
export function searchWithin(
  engine: SearchEngine,
  query: SearchQuery,
  client: AbortSignal,
  seconds: number,
): Promise<SearchResults> {
  const controller = new AbortController()
  return new Promise<SearchResults>((resolve, reject) => {
    const end = (failure: Error) => {
      reject(failure)
      controller.abort(failure)
    }
    const onDisconnect = () => end(new DOMException('The client has disconnected', 'AbortError'))
    const timer = setTimeout(() => end(engineTimeout()), seconds * 1000)
    client.addEventListener('abort', onDisconnect)
    if (client.aborted) onDisconnect()
    engine
      .search(query, { signal: controller.signal })
      .then((found) => resolve(cut(found, query.maxResults)), reject)
      .finally(() => {
        clearTimeout(timer)
        client.removeEventListener('abort', onDisconnect)
      })
  })
}

const engineTimeout = () =>
  new SearchFailure({ type: 'timed-out', message: 'The search engine took too long to answer.' })

function cut(found: SearchResults, maxResults: number): SearchResults {
  if (found.results.length <= maxResults) return found
  switch (found.type) {
    case 'text':
      return { ...found, results: found.results.slice(0, maxResults) }
    case 'news':
      return { ...found, results: found.results.slice(0, maxResults) }
    case 'images':
      return { ...found, results: found.results.slice(0, maxResults) }
    case 'suggestions':
      return { ...found, results: found.results.slice(0, maxResults) }
  }
}
