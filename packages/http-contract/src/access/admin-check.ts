import type { Promisable } from 'type-fest'

/** What someone presents who says to be the admin. */
export interface AdminCredentials {
  /** Absent where a Bearer token was presented. */
  readonly username?: string
  readonly password: string
}

/** Who presents them, as far as the transport knows. */
export interface Peer {
  readonly remoteAddress?: string | undefined
}

/** Credentials were not looked at, since too many wrong ones came from the same source. */
export interface TooManyGuesses {
  /** Whole seconds, at least 1. */
  readonly retryAfterSeconds: number
}

/** Whether they are the admin's, where they were looked at. */
export type AdminVerdict = boolean | TooManyGuesses

/**
 * Whether these are the admin's credentials. One of the host's own should compare in constant time and be wrapped in
 * `limitGuesses`; `adminCheck` does both.
 */
export type AdminCheck = (credentials: AdminCredentials, peer?: Peer) => Promisable<AdminVerdict>
