import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { type Transport, type TransportMount, transportConformance } from '@trivium/http-contract/conformance'
import { closeServer } from '@trivium/http-contract/node'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { beforeAll, vi } from 'vitest'
import { type FetchHandler, type FetchPeer, fetchHandler } from './index.ts'
import { fetchSockets, isRewritten } from './node.ts'

// The server under Hono logs every stream that fails, and some tests let streams fail.
beforeAll(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

type Handle = (request: Request, bindings: HttpBindings) => Response | Promise<Response>

const peerOf = ({ incoming }: HttpBindings): FetchPeer => ({ remoteAddress: incoming.socket.remoteAddress })

async function listen(mount: FetchHandler, handle: Handle, { prefix, sockets, graceSeconds }: TransportMount) {
  const answer = getRequestListener((request, bindings) => handle(request, bindings as HttpBindings), {
    hostname: '127.0.0.1',
    overrideGlobalObjects: false,
  })
  const server = createServer((request, response) => {
    if (isRewritten(request.url)) response.writeHead(400).end()
    else void answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const attached = await fetchSockets(server, sockets, { prefix })
  return {
    // A server that listens on a port has an address.
    port: (server.address() as AddressInfo).port,
    close: () => closeServer(server, { mounts: [mount, attached], graceSeconds }),
  }
}

// Before Node 24 a queued response gets no event when its socket closes, and the server does not check.
const except: Transport['except'] = {
  'get-body': 'a web-standard request of GET has no body',
  ...(Number.parseInt(process.versions.node, 10) < 24 && {
    'queued-request-abort': '@hono/node-server does not notice it on this version of Node',
  }),
}

transportConformance({
  name: 'fetch',
  except,
  serve: async (mount) => {
    const handle = fetchHandler(mount.routes, { prefix: mount.prefix })
    const host = (request: Request) =>
      new URL(request.url).pathname === '/host' ? new Response('host') : new Response('nothing', { status: 404 })
    return listen(
      handle,
      async (request, bindings) => (await handle(request, peerOf(bindings))) ?? host(request),
      mount,
    )
  },
})

function serveInHono(mount: TransportMount, ...middlewares: readonly Parameters<Hono['use']>[1][]) {
  const handle = fetchHandler(mount.routes, { prefix: mount.prefix })
  const application = new Hono<{ Bindings: HttpBindings }>()
  for (const middleware of middlewares) application.use('*', middleware)
  application.get('/host', (context) => context.text('host'))
  application.use('*', async (context, next) => (await handle(context.req.raw, peerOf(context.env))) ?? next())
  return listen(handle, (request, bindings) => application.fetch(request, bindings), mount)
}

transportConformance({
  name: 'fetch inside Hono',
  except,
  serve: serveInHono,
  serveCompressed: (mount) => serveInHono(mount, compress()),
})
