import type { FetchHandler } from '@trivium/fetch-adapter'

/** A request whose answer is an error. */
export interface RefusedRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface RefusedAnswer {
  readonly status: number
  readonly body: unknown
}

/** Sends it to routes in this process, as a client would. */
export async function answerTo(handle: FetchHandler, request: RefusedRequest): Promise<RefusedAnswer> {
  const { method = 'GET', path, headers = {}, body } = request
  const response = await handle(
    new Request(`http://localhost${path}`, { method, headers, ...(body !== undefined && { body }) }),
  )
  if (!response || response.status < 400) {
    throw new Error(`${method} ${path} is no error: ${response?.status ?? 'there is no such route'}`)
  }
  return { status: response.status, body: await response.json() }
}
