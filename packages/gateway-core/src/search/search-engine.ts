import type { SearchResults, SearchType } from './search-result.ts'

/** A search engine. It rejects with a `SearchFailure`, also when it is blocked, instead of returning an empty list. */
export interface SearchEngine {
  /** The value of `engine=`: `[a-z0-9][a-z0-9._-]*`. */
  readonly id: string
  /** The supported types. The gateway requests no others. */
  readonly types: ReadonlySet<SearchType>
  /** Returns results whose `type` is `query.type`. Engines do not cache, because the gateway does. */
  search(query: SearchQuery, context: SearchContext): Promise<SearchResults>
}

/** A query, validated by the gateway. */
export interface SearchQuery {
  /** Trimmed, not empty, at most 2000 characters. An engine with a lower limit shortens it. */
  readonly text: string
  readonly type: SearchType
  /** From 1 to 100. An engine reads further pages until it has that many or the last page is read. */
  readonly maxResults: number
  /** `all`, or country and language in lower case, such as `us-en`. */
  readonly region: string
  readonly safeSearch: 'on' | 'moderate' | 'off'
}

/** The context of one call of an engine. */
export interface SearchContext {
  /** Aborts when the client disconnects or the timeout passes. */
  readonly signal: AbortSignal
}
