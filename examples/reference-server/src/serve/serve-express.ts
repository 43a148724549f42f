import { expressRoutes, expressSockets } from '@trivium/express-adapter'
import express from 'express'
import type { Transport } from './transport.ts'
import { notFoundAt } from './unrouted-replies.ts'

export const serveExpress: Transport = async ({ routes, sockets }, hosting) => {
  const mount = expressRoutes(routes)
  const app = express().disable('x-powered-by').set('trust proxy', hosting.proxies.isTrusted).use(mount)
  app.use((request, response) => {
    if (hosting.unrouted) return hosting.unrouted(request, response)
    const { status, body } = notFoundAt(request.path)
    // Express adds a charset to each content type that it sets itself.
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  const server = hosting.createServer(app)
  return { server, mounts: [mount, await expressSockets(server, sockets, hosting.sockets)] }
}
