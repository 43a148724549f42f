import type { AddressInfo } from 'node:net'
import compress from '@fastify/compress'
import { type TransportMount, transportConformance } from '@trivium/http-contract/conformance'
import fastify, { type FastifyInstance } from 'fastify'
import { type FastifyRoutesOptions, fastifyRoutes, fastifySockets } from './index.ts'

const serveOn =
  (prepare: (host: FastifyInstance) => unknown, options: FastifyRoutesOptions = {}) =>
  async ({ prefix, routes, sockets, graceSeconds }: TransportMount) => {
    const host = fastify()
    await prepare(host)
    host.get('/host', async () => 'host')
    host.register(fastifyRoutes(routes, { graceSeconds, ...options }), { prefix })
    host.register(fastifySockets(sockets), { prefix })
    await host.listen({ port: 0, host: '127.0.0.1' })
    // A server that listens on a port has an address.
    return { port: (host.server.address() as AddressInfo).port, close: () => host.close() }
  }

const except = {
  'undecodable-path': "Fastify's router refuses it before any plugin, with the host's frameworkErrors",
}

transportConformance({
  name: 'fastify',
  except,
  serve: serveOn(() => undefined),
  serveCompressed: serveOn((host) => host.register(compress)),
})

transportConformance({
  name: 'fastify with one route for all paths',
  except,
  serve: serveOn(() => undefined, { nativeRoutes: false }),
  serveCompressed: serveOn((host) => host.register(compress), { nativeRoutes: false }),
})
