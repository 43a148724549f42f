/** Why a request was not admitted. A small fixed set, so that metrics can use it as a label. */
export type RefusalReason =
  /** It presents no credentials where some are needed. */
  | 'missing_credentials'
  /** Its `authorization` header cannot be read, or there are several. */
  | 'malformed_credentials'
  /** It presents an admin's name or password that is wrong, or a token that is neither a key nor the password. */
  | 'wrong_password'
  /** It comes from a source of wrong passwords, and its credentials were not checked. */
  | 'too_many_guesses'
  /** It presents an API key that does not exist, has expired or was revoked. */
  | 'wrong_key'
  /** It presents an API key where the admin is needed. */
  | 'admin_required'
  /** A page of another site made a browser send HTTP Basic. */
  | 'cross_site'
  /** A rule of the host returned no caller, or refused the request. */
  | 'host_rule'
  /** A user of the host is not allowed to call the operation. */
  | 'not_permitted'
  /** Its key has sent too many invalid requests. */
  | 'too_many_invalid'

/** Why a request is refused, and for how long. */
export interface Refusal {
  readonly reason: RefusalReason
  /** Whole seconds, at least 1; present only with `too_many_guesses`. */
  readonly retryAfterSeconds?: number
  /** The id of the user; present only with `not_permitted`. */
  readonly user?: string
}
