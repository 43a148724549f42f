import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type TransportMount, transportConformance } from '@trivium/http-contract/conformance'
import { closeServer } from '@trivium/http-contract/node'
import compression from 'compression'
import express, { type RequestHandler } from 'express'
import { expressRoutes, expressSockets } from './index.ts'

const serveWith =
  (...middlewares: readonly RequestHandler[]) =>
  async ({ prefix, routes, sockets, graceSeconds }: TransportMount) => {
    const application = express()
    for (const middleware of middlewares) application.use(middleware)
    const mount = expressRoutes(routes)
    application.use(prefix, mount)
    application.get('/host', (_request, response) => void response.send('host'))
    const server = application.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const attached = await expressSockets(server, sockets, { prefix })
    return {
      // A server that listens on a port has an address.
      port: (server.address() as AddressInfo).port,
      close: () => closeServer(server, { mounts: [mount, attached], graceSeconds }),
    }
  }

transportConformance({ name: 'express', serve: serveWith(), serveCompressed: serveWith(compression()) })
