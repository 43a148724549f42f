import type { SearchType } from './search-result.ts'

/** Why an engine has no results. `retryAfterSeconds` is what the engine asked for. */
export type SearchError =
  /** The engine takes us for a robot: a challenge page, a captcha. */
  | { readonly type: 'blocked'; readonly message: string; readonly retryAfterSeconds?: number }
  | { readonly type: 'rate-limited'; readonly message: string; readonly retryAfterSeconds?: number }
  /** No connection, a 5xx, or an answer that makes no sense. */
  | { readonly type: 'unavailable'; readonly message: string; readonly retryAfterSeconds?: number }
  /** The engine did not answer in its time. */
  | { readonly type: 'timed-out'; readonly message: string }
  /** The engine refuses for good: a bad key, a format that its operator has to allow. */
  | { readonly type: 'misconfigured'; readonly message: string }
  | { readonly type: 'unsupported-type'; readonly message: string; readonly searchType: SearchType }

/** What a search engine rejects with. Anything else that it throws is a fault. Messages are for the client to read. */
export class SearchFailure extends Error {
  override readonly name = 'SearchFailure'
  readonly error: SearchError

  constructor(error: SearchError, options?: ErrorOptions) {
    super(error.message, options)
    this.error = error
  }

  /** Whether `thrown` is one, whichever copy of this package made it. */
  static is(thrown: unknown): thrown is SearchFailure {
    return thrown instanceof Error && thrown.name === 'SearchFailure' && 'error' in thrown
  }
}
