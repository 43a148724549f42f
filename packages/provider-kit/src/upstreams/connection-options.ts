/**
 * A connection that died silently looks like one whose upstream thinks for minutes. So it is used again only this soon
 * after its last answer, regardless of what the upstream allows: then at most one request meets it.
 */
const REUSE_MS = 1500

/** Of every connection to an upstream: HTTP/1.1, one request at a time, kept for 1.5 seconds after its last answer. */
export const connectionOptions = {
  allowH2: false,
  pipelining: 1,
  keepAliveTimeout: REUSE_MS,
  keepAliveMaxTimeout: REUSE_MS,
} as const

/** How long a caller waits for a connection that does not set one. */
export const CONNECT_TIMEOUT_MS = 10_000

/** How much of an answer is taken where nothing is said of it. */
export const MAX_ANSWER_BYTES = 128 * 2 ** 20
