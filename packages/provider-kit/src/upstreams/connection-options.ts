/** Of every connection to an upstream: HTTP/1.1, one request at a time, kept for 30 seconds after its last. */
export const connectionOptions = { allowH2: false, pipelining: 1, keepAliveTimeout: 30_000 } as const

/** How long a caller waits for a connection that does not set one. */
export const CONNECT_TIMEOUT_MS = 10_000

/** How much of an answer is taken where nothing is said of it. */
export const MAX_ANSWER_BYTES = 128 * 2 ** 20
