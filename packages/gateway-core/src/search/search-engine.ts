import type { SearchResults, SearchType } from './search-result.ts'

/** A place that searches. Rejects with a `SearchFailure`; a blocked engine is never an empty list. */
export interface SearchEngine {
  /** What `engine=` names: `[a-z0-9][a-z0-9._-]*`. */
  readonly id: string
  /** The gateway asks for no other. */
  readonly types: ReadonlySet<SearchType>
  /** `results.type` is `query.type`. Engines neither cache nor retry: the gateway does. */
  search(query: SearchQuery, context: SearchContext): Promise<SearchResults>
}

/** What an engine is asked, checked by the gateway. */
export interface SearchQuery {
  /** Trimmed, not empty, at most 2000 characters. An engine that takes less cuts it. */
  readonly text: string
  readonly type: SearchType
  /** 1 to 100. An engine pages until it has them or there are no more. */
  readonly maxResults: number
  /** `all`, or country and language in lower case: `us-en`. */
  readonly region: string
  readonly safeSearch: 'on' | 'moderate' | 'off'
}

/** What surrounds one call of an engine. */
export interface SearchContext {
  /** Aborts when the client has left or the engine's time is over. */
  readonly signal: AbortSignal
}
