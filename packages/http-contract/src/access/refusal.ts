/** Why a request was not let in. Few and fixed, so that metrics can have them as a label. */
export type RefusalReason =
  /** It presents nothing, where something is needed. */
  | 'missing_credentials'
  /** Its `authorization` header cannot be read, or there are several. */
  | 'malformed_credentials'
  /** It presents an admin's name or password that is wrong, or a token that is neither a key nor the password. */
  | 'wrong_password'
  /** It comes from where wrong passwords came from; what it presents was not looked at. */
  | 'too_many_guesses'
  /** It presents an API key that does not exist, has expired or was revoked. */
  | 'wrong_key'
  /** It presents an API key where the admin is needed. */
  | 'admin_required'
  /** A page of another site made a browser send HTTP Basic. */
  | 'cross_site'
  /** A rule of the host returned no caller. */
  | 'host_rule'
  /** Its key has sent too many requests that were not valid. */
  | 'too_many_invalid'

/** What keeps a request out. */
export interface Refusal {
  readonly reason: RefusalReason
  /** Whole seconds, at least 1; present with `too_many_guesses` alone. */
  readonly retryAfterSeconds?: number
}
