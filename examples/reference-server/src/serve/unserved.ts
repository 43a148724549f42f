/** An answer in the words of all services: what no route has may have been meant for any of them. */
export interface Unserved {
  readonly status: number
  readonly body: {
    readonly error: { readonly message: string; readonly type: string; readonly param: null; readonly code: string }
    readonly message: string
    readonly status: number
  }
}

const unserved = (status: number, code: string, message: string): Unserved => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param: null, code }, message, status },
})

export const notFound = unserved(404, 'not_found', 'There is nothing at this path.')

/** For requests that Node itself refuses, without the headers of all answers. */
export const missingHost = unserved(400, 'missing_host', 'A request of HTTP/1.1 needs a Host header.')

/** For paths that a framework itself refuses, in words of its own that tell what it is. */
export const badPath = unserved(400, 'invalid_path', 'The path can not be read.')
