import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { expressRoutes } from '@trivium/express-adapter'
import { fastifyRoutes } from '@trivium/fastify-adapter'
import { fetchHandler } from '@trivium/fetch-adapter'
import { createGateway, type Gateway, type GatewayOptions } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { memoryGatewayRepositories, memoryImages } from '@trivium/gateway-core/memory'
import type { Route } from '@trivium/http-contract'
import express from 'express'
import fastify from 'fastify'
import { onTestFinished } from 'vitest'

export type TransportName = 'express' | 'fastify' | 'fetch'

export const transports: readonly TransportName[] = ['express', 'fastify', 'fetch']

/** A gateway with stores in memory and a real server. */
export interface ServedGateway {
  readonly gateway: Gateway
  readonly url: string
  /** Moves the gateway's clock ahead. */
  advance(milliseconds: number): void
}

export async function serveGateway(
  transport: TransportName,
  options: Partial<GatewayOptions> & Pick<GatewayOptions, 'providers'>,
): Promise<ServedGateway> {
  let ahead = 0
  const now = () => new Date(Date.now() + ahead)
  const gateway = createGateway({
    repositories: memoryGatewayRepositories(),
    imageStore: memoryImages(),
    now,
    ...options,
  })
  const server = await listen[transport](gatewayRoutes(gateway, { now }))
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await gateway.close()
  })
  // A server that listens on a port has an address.
  const { port } = server.address() as AddressInfo
  return {
    gateway,
    url: `http://127.0.0.1:${port}`,
    advance: (milliseconds) => {
      ahead += milliseconds
    },
  }
}

const listen: Readonly<Record<TransportName, (routes: readonly Route[]) => Promise<Server>>> = {
  async express(routes) {
    const server = createServer(express().use(expressRoutes(routes))).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return server
  },
  async fastify(routes) {
    const host = fastify()
    host.register(fastifyRoutes(routes))
    await host.listen({ port: 0, host: '127.0.0.1' })
    return host.server
  },
  async fetch(routes) {
    const handle = fetchHandler(routes)
    const answer = async (request: Request) => (await handle(request)) ?? new Response('nothing', { status: 404 })
    const server = serve({ fetch: answer, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false })
    await once(server, 'listening')
    // Without options it is a plain server.
    return server as Server
  },
}
