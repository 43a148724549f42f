import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { closeServer } from '@trivium/http-contract/node'
import { describe, expect, it } from 'vitest'
import { trustedProxies } from '../src/access/trusted-proxies.ts'
import { serveExpress } from '../src/serve/serve-express.ts'
import { serveFastify } from '../src/serve/serve-fastify.ts'
import { serveFetch } from '../src/serve/serve-fetch.ts'
import type { Transport } from '../src/serve/transport.ts'
import { notFound } from '../src/serve/unrouted-replies.ts'

describe.each(
  Object.entries({ express: serveExpress, fastify: serveFastify, fetch: serveFetch }),
)('the transport %s', (_, serve) => {
  it.each<readonly [string, RequestInit]>([
    ['a request without a body', { method: 'GET' }],
    ['an empty body that claims to be JSON', { method: 'POST', headers: { 'content-type': 'application/json' } }],
    ['invalid JSON', { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{nojson' }],
    ['an invalid content type', { method: 'POST', headers: { 'content-type': 'x' }, body: 'x' }],
    ['a body that is larger than a framework reads by default', { method: 'POST', body: 'x'.repeat(2 ** 21) }],
  ])('answers %s at a path without a route with 404', async (_, request) => {
    expect(await answerOf(serve, '/nowhere', request)).toEqual(notFound)
  })

  it('answers a path without a route with JSON that has no charset', async () => {
    const type = await withServer(serve, async (port) =>
      (await fetch(`http://127.0.0.1:${port}/nowhere`)).headers.get('content-type'),
    )
    expect(type).toBe('application/json')
  })

  it.each([
    'OPTIONS * HTTP/1.1\r\nhost: localhost\r\nconnection: close',
    'GET /nowhere HTTP/1.0',
  ])('answers %j with 404', async (head) => {
    const answer = await withServer(serve, async (port) => {
      const socket = connect(port, '127.0.0.1')
      socket.write(`${head}\r\n\r\n`)
      return text(socket)
    })
    expect(answer).toMatch(/^HTTP\/1\.1 404 /)
    expect(answer).toContain(JSON.stringify(notFound.body))
  })

  it.each([
    ['/v1/messages/batches', 'This gateway has no batches of messages. Send each request to /v1/messages.'],
    [
      '/v1/messages/batches/b_1/results?beta=true',
      'This gateway has no batches of messages. Send each request to /v1/messages.',
    ],
    ['/v1/messages/nowhere', 'There is no resource at this path.'],
  ])("answers %s in the form of Anthropic's errors", async (path, message) => {
    const body = { type: 'error', error: { type: 'not_found_error', message }, request_id: null }
    for (const method of ['GET', 'POST', 'DELETE']) {
      expect(await answerOf(serve, path, { method })).toEqual({ status: 404, body })
    }
  })
})

async function withServer<Answer>(serve: Transport, use: (port: number) => Promise<Answer>): Promise<Answer> {
  const options = {
    createServer: (listener: RequestListener) => createServer(listener),
    proxies: trustedProxies([]),
    sockets: {},
  }
  const { server, mounts } = await serve({ routes: [], sockets: [] }, options)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  const answer = await use(address.port)
  await closeServer(server, { mounts })
  return answer
}

const answerOf = (serve: Transport, path: string, request: RequestInit) =>
  withServer(serve, async (port) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, request)
    return { status: response.status, body: await response.json() }
  })
