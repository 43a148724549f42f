import { expressRoutes, expressSockets } from '@trivium/express-adapter'
import express from 'express'
import type { Transport } from './transport.ts'
import { notFound } from './unrouted-replies.ts'

export const serveExpress: Transport = async ({ routes, sockets }, hosting) => {
  const app = express().disable('x-powered-by').set('trust proxy', hosting.proxies.isTrusted).use(expressRoutes(routes))
  app.use((_request, response) => void response.status(notFound.status).json(notFound.body))
  const server = hosting.createServer(app)
  const attached = await expressSockets(server, sockets, hosting.sockets)
  return { server, close: async () => attached.close() }
}
