import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { closeServer } from '@trivium/http-contract/node'
import { describe, expect, it } from 'vitest'
import { trustedProxies } from '../src/access/trusted-proxies.ts'
import { serveExpress } from '../src/serve/serve-express.ts'
import { serveFastify } from '../src/serve/serve-fastify.ts'
import { serveFetch } from '../src/serve/serve-fetch.ts'
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
    const response = await fetch(`http://127.0.0.1:${address.port}/nowhere`, request)
    expect({ status: response.status, body: await response.json() }).toEqual(notFound)
    await closeServer(server, { mounts })
  })
})
