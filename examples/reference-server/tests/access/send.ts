import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'

/** A request that `fetch` cannot send: with any Host, any Origin, several Authorization headers. */
export interface PlainRequest {
  readonly method: string
  readonly path: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string
  /** The local address of the connection, in 127.0.0.0/8. The server counts each address as another caller. */
  readonly localAddress?: string
  /** Closes the answer once its headers are received: some answers have no end. @default false */
  readonly headersOnly?: boolean
}

export interface PlainResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

const DEADLINE_MS = 20_000

/** @param origin of the server, such as `http://127.0.0.1:8787` */
export function send(
  origin: string,
  { method, path, headers = {}, body, localAddress, headersOnly = false }: PlainRequest,
): Promise<PlainResponse> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const sent = request({
      agent,
      hostname,
      port,
      method,
      path,
      headers: { host: `${hostname}:${port}`, ...headers },
      ...(localAddress !== undefined && { localAddress }),
    })
    sent.setTimeout(DEADLINE_MS, () => sent.destroy(new Error(`${method} ${path} had no answer`)))
    sent.on('error', reject).on('response', (response) => {
      if (headersOnly) {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: '' })
        response.on('error', () => undefined).destroy()
        return
      }
      let text = ''
      response.setEncoding('utf8').on('error', reject)
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    sent.end(body)
  })
}
