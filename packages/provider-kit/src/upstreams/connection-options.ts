/**
 * A connection that was cut silently cannot be distinguished from one with a slow upstream. A connection is therefore
 * used again only this soon after its last answer, regardless of what the upstream allows, so that at most one request
 * uses it.
 */
const REUSE_MS = 1500

/**
 * Options of every connection to an upstream: HTTP/1.1, one request at a time, kept for 1.5 seconds after its last
 * answer.
 */
export const connectionOptions = {
  allowH2: false,
  pipelining: 1,
  keepAliveTimeout: REUSE_MS,
  keepAliveMaxTimeout: REUSE_MS,
} as const

/** The connect timeout of a call that does not set one. */
export const CONNECT_TIMEOUT_MS = 10_000

/** The default of the most bytes of an answer. */
export const MAX_ANSWER_BYTES = 128 * 2 ** 20
