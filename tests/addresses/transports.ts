import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { expressRoutes, expressSockets } from '@trivium/express-adapter'
import { fastifyRoutes, fastifySockets } from '@trivium/fastify-adapter'
import { fetchHandler } from '@trivium/fetch-adapter'
import { fetchSockets } from '@trivium/fetch-adapter/node'
import type { Route, SocketRoute } from '@trivium/http-contract'
import express from 'express'
import fastify from 'fastify'

export interface Mounted {
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
  readonly prefix: string
  /** Whether the host trusts proxies on loopback. */
  readonly trusts: boolean
}

export interface Served {
  readonly origin: string
  readonly close: () => Promise<unknown>
}

type Serve = (mounted: Mounted) => Promise<Served>

const overExpress: Serve = async ({ routes, sockets, prefix, trusts }) => {
  const app = express().set('trust proxy', trusts ? 'loopback' : false)
  app.use(prefix === '' ? '/' : prefix, expressRoutes(routes))
  const server = createServer(app)
  const attached = await expressSockets(server, sockets, { prefix, isFromProxy: () => trusts })
  return listening(server, attached.close)
}

const overFastify: Serve = async ({ routes, sockets, prefix, trusts }) => {
  const app = fastify({ trustProxy: trusts ? 'loopback' : false })
  app.register(fastifyRoutes(routes), { prefix })
  app.register(fastifySockets(sockets, { isFromProxy: () => trusts }), { prefix })
  await app.ready()
  return listening(app.server, () => app.close())
}

const overFetch: Serve = async ({ routes, sockets, prefix, trusts }) => {
  const handle = fetchHandler(routes, { prefix })
  const listener = getRequestListener(
    async (request, bindings) => {
      // Over HTTP/1 the bindings are Node's own request and response.
      const { incoming } = bindings as HttpBindings
      const peer = { remoteAddress: incoming.socket.remoteAddress, isFromProxy: trusts }
      return (await handle(request, peer)) ?? new Response(null, { status: 404 })
    },
    { overrideGlobalObjects: false },
  )
  const server = createServer((request, response) => void listener(request, response))
  const attached = await fetchSockets(server, sockets, { prefix, isFromProxy: () => trusts })
  return listening(server, attached.close)
}

async function listening(server: Server, closeApp: () => PromiseLike<unknown>): Promise<Served> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address.
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections()
      if (server.listening) server.close()
      await closeApp()
    },
  }
}

export const transports = [
  { transport: 'Express', serve: overExpress },
  { transport: 'Fastify', serve: overFastify },
  { transport: 'fetch', serve: overFetch },
] as const
