import type { Promisable } from 'type-fest'

/** The credentials that a request presents as the admin's. */
export interface AdminCredentials {
  /** Absent where a Bearer token was presented. */
  readonly username?: string
  /** The password, or the Bearer token. */
  readonly password: string
}

/** The caller that presents credentials. */
export interface Peer {
  /**
   * The IP address of the client as the transport's host reports it. Callers without one count as one source: they are
   * delayed together while many wrong credentials are presented.
   *
   * @default unknown
   */
  readonly remoteAddress?: string | undefined
}

/** The credentials were not checked, because too many wrong ones came from the same source. */
export interface TooManyGuesses {
  /** Whole seconds, at least 1. */
  readonly retryAfterSeconds: number
}

/** Whether credentials are the admin's, if they were checked. */
export type AdminVerdict = boolean | TooManyGuesses

/**
 * Checks whether credentials are the admin's. Any result other than `true` refuses the request. A rejection is a fault
 * of the request. A host's own check should compare in constant time and be wrapped in `limitGuesses`; `adminCheck`
 * does both.
 */
export type AdminCheck = (credentials: AdminCredentials, peer?: Peer) => Promisable<AdminVerdict>
