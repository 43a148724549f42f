import { createServer } from 'node:http'
import { Pool } from 'undici'
import { listen } from './listen.ts'

const { BENCHMARK_UPSTREAM: upstream = '' } = process.env

// More connections than any load has, so that no request waits for one.
const pool = new Pool(upstream, { connections: 256, pipelining: 1 })
const uses = new Map<string, number>()

/** The minimal relay: counts uses by key, parses the body once, and forwards everything. */
const server = createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    const key = request.headers.authorization ?? ''
    uses.set(key, (uses.get(key) ?? 0) + 1)
    const body = Buffer.concat(pieces)
    JSON.parse(body.toString())
    pool.dispatch(
      { path: '/v1/chat/completions', method: 'POST', body, headers: { 'content-type': 'application/json' } },
      {
        onRequestStart: (controller) => {
          response.on('close', () => {
            if (!response.writableEnded) controller.abort(new Error('the client has disconnected'))
          })
        },
        onResponseStart: (_controller, status, headers) => {
          const { 'content-type': type = '', 'content-length': length } = headers
          response.writeHead(status, {
            'content-type': String(type),
            ...(length !== undefined && { 'content-length': String(length) }),
          })
        },
        onResponseData: (controller, chunk) => {
          if (response.write(chunk)) return
          controller.pause()
          response.once('drain', () => controller.resume())
        },
        onResponseEnd: () => void response.end(),
        onResponseError: () => void response.destroy(),
      },
    )
  })
})

await listen(server)
