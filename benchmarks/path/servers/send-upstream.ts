import { Pool } from 'undici'

/** A complete answer of the upstream. */
export interface UpstreamReply {
  readonly status: number
  readonly type: string
  readonly bytes: Buffer
}

/** Returns a function that sends a body to the upstream with undici alone, and collects its answer. */
export function upstreamSender(upstream: string): (body: Uint8Array) => Promise<UpstreamReply> {
  // More connections than any load has, so that no request waits for one.
  const pool = new Pool(upstream, { connections: 256, pipelining: 1 })
  return (body) =>
    new Promise((resolve, reject) => {
      const pieces: Buffer[] = []
      let [status, type] = [0, '']
      pool.dispatch(
        { path: '/v1/chat/completions', method: 'POST', body, headers: { 'content-type': 'application/json' } },
        {
          onRequestStart: () => undefined,
          onResponseStart: (_controller, answered, headers) => {
            status = answered
            type = String(headers['content-type'])
          },
          onResponseData: (_controller, chunk) => void pieces.push(chunk),
          onResponseEnd: () => {
            const [first = Buffer.alloc(0)] = pieces
            resolve({ status, type, bytes: pieces.length === 1 ? first : Buffer.concat(pieces) })
          },
          onResponseError: (_controller, error) => reject(error),
        },
      )
    })
}
