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
  body: { error: { message, type: 'invalid_request_error', param: null, code }, message, status },
})

export const notFound = unroutedReply(404, 'not_found', 'There is no resource at this path.')

/** Replaces the answer of Node, which lacks the headers of all answers. */
export const missingHost = unroutedReply(400, 'missing_host', 'An HTTP/1.1 request must have a Host header.')

/** Replaces the answers of frameworks, whose messages reveal which framework is used. */
export const badPath = unroutedReply(400, 'invalid_path', 'The path cannot be read.')
