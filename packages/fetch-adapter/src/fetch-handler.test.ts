import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'
import { type Transport, type TransportMount, transportConformance } from '@trivium/http-contract/conformance'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { beforeAll, vi } from 'vitest'
import { fetchHandler } from './index.ts'
import { fetchSockets } from './node.ts'

// The server under Hono reports every stream that fails, and some fail on purpose.
beforeAll(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

async function listen(handle: (request: Request) => Response | Promise<Response>, { prefix, sockets }: TransportMount) {
  const server: ServerType = serve({ fetch: handle, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false })
  await once(server, 'listening')
  const attached = await fetchSockets(server, sockets, { prefix })
  return {
    // A server that listens on a port has an address.
    port: (server.address() as AddressInfo).port,
    close: async () => {
      await attached.close()
      if ('closeAllConnections' in server) server.closeAllConnections()
      server.close()
    },
  }
}

// Before Node 24 a response that waits for its turn is not told that its socket closed, and the server does not ask.
const except: Transport['except'] =
  Number.parseInt(process.versions.node, 10) < 24
    ? { 'queued-request-abort': '@hono/node-server does not notice it on this version of Node' }
    : {}

transportConformance({
  name: 'fetch',
  except,
  serve: async (mount) => {
    const handle = fetchHandler(mount.routes, { prefix: mount.prefix })
    const host = (request: Request) =>
      new URL(request.url).pathname === '/host' ? new Response('host') : new Response('nothing', { status: 404 })
    return listen(async (request) => (await handle(request)) ?? host(request), mount)
  },
})

function serveInHono(mount: TransportMount, ...middlewares: readonly Parameters<Hono['use']>[1][]) {
  const handle = fetchHandler(mount.routes, { prefix: mount.prefix })
  const application = new Hono()
  for (const middleware of middlewares) application.use('*', middleware)
  application.get('/host', (context) => context.text('host'))
  application.use('*', async (context, next) => (await handle(context.req.raw)) ?? next())
  return listen((request) => application.fetch(request), mount)
}

transportConformance({
  name: 'fetch inside Hono',
  except,
  serve: serveInHono,
  serveCompressed: (mount) => serveInHono(mount, compress()),
})
