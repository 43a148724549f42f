import type { SearchType } from './search-result.ts'

/** Why an engine returned no results. `retryAfterSeconds` is the wait that the engine requested. */
export type SearchError =
  /** The engine treats the gateway as a robot, with a challenge page or a captcha. */
  | { readonly type: 'blocked'; readonly message: string; readonly retryAfterSeconds?: number }
  | { readonly type: 'rate-limited'; readonly message: string; readonly retryAfterSeconds?: number }
  /** No connection, a 5xx status, or a malformed answer. */
  | { readonly type: 'unavailable'; readonly message: string; readonly retryAfterSeconds?: number }
  /** The engine did not answer within its timeout. */
  | { readonly type: 'timed-out'; readonly message: string }
  /** The engine refuses permanently, for example because of a wrong key or a format that its operator has not enabled. */
  | { readonly type: 'misconfigured'; readonly message: string }
  | { readonly type: 'unsupported-type'; readonly message: string; readonly searchType: SearchType }

/** The error of a search engine. Any other error is a fault. The message is sent to the client. */
export class SearchFailure extends Error {
  override readonly name = 'SearchFailure'
  readonly error: SearchError

  constructor(error: SearchError, options?: ErrorOptions) {
    super(error.message, options)
    this.error = error
  }

  /** Returns whether `thrown` is a `SearchFailure`, also of another copy of this package. */
  static is(thrown: unknown): thrown is SearchFailure {
    return thrown instanceof Error && thrown.name === 'SearchFailure' && 'error' in thrown
  }
}
