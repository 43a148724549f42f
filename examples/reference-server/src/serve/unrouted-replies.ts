/** An answer in the error shapes of all services, for requests that reach no route. */
export interface UnroutedReply {
  readonly status: number
  readonly body: {
    readonly error: { readonly message: string; readonly type: string; readonly param: null; readonly code: string }
    readonly message: string
    readonly status: number
  }
}

const unroutedReply = (status: number, code: string, message: string): UnroutedReply => ({
  status,
  body: {
    error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', param: null, code },
    message,
    status,
  },
})

export const notFound = unroutedReply(404, 'not_found', 'There is no resource at this path.')

/** An answer in the error shape of Anthropic's clients. */
const noMessages = (message: string) => ({
  status: 404,
  body: { type: 'error', error: { type: 'not_found_error', message }, request_id: null },
})

const noBatches = noMessages('This gateway has no batches of messages. Send each request to /v1/messages.')
const nothingInMessages = noMessages(notFound.body.message)

/** Returns the answer for a path without a route. A query is ignored. */
export function notFoundAt(path: string): UnroutedReply | typeof noBatches {
  if (/^\/v1\/messages\/batches(?:[/?]|$)/.test(path)) return noBatches
  return path.startsWith('/v1/messages/') ? nothingInMessages : notFound
}

/** Replaces the answer of Node, which lacks the headers of all answers. */
export const missingHost = unroutedReply(400, 'missing_host', 'An HTTP/1.1 request must have a Host header.')

/** Replaces the answers of frameworks, whose messages reveal which framework is used. */
export const badPath = unroutedReply(400, 'invalid_path', 'The path cannot be read.')

/** Answers a request that a worker can no longer pass on. */
export const unavailable = unroutedReply(503, 'unavailable', 'The server is stopping. Try again.')
