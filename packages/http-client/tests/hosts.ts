import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { expressRoutes, expressSockets } from '@trivium/express-adapter'
import { fastifyRoutes, fastifySockets } from '@trivium/fastify-adapter'
import { fetchHandler } from '@trivium/fetch-adapter'
import { fetchSockets } from '@trivium/fetch-adapter/node'
import type { Route, SocketRoute } from '@trivium/http-contract'
import express from 'express'
import fastify from 'fastify'

export interface Served {
  readonly url: string
  close(): Promise<unknown>
}

type Serve = (routes: readonly Route[], sockets: readonly SocketRoute[]) => Promise<Served>

const PREFIX = '/tools/of'

/** Servers on each transport, which listen on 127.0.0.1, with the routes under a prefix. */
export const hosts: Readonly<Record<string, Serve>> = {
  async express(routes, sockets) {
    const server = createServer(express().use(PREFIX, expressRoutes(routes)))
    const attached = await expressSockets(server, sockets, { prefix: PREFIX })
    return listening(server, () => attached.close())
  },
  async fastify(routes, sockets) {
    const app = fastify({ forceCloseConnections: true })
    app.register(fastifyRoutes(routes), { prefix: PREFIX })
    app.register(fastifySockets(sockets), { prefix: PREFIX })
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    return { url: `${url}${PREFIX}`, close: () => app.close() }
  },
  async fetch(routes, sockets) {
    const handle = fetchHandler(routes, { prefix: PREFIX })
    const answer = async (request: Request) => (await handle(request)) ?? new Response('not here', { status: 404 })
    const server = createServer(getRequestListener(answer, { overrideGlobalObjects: false }))
    const attached = await fetchSockets(server, sockets, { prefix: PREFIX })
    return listening(server, () => attached.close())
  },
}

async function listening(server: Server, closeSockets: () => void): Promise<Served> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${PREFIX}`,
    async close() {
      closeSockets()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
