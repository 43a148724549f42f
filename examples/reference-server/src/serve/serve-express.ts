import { expressRoutes, expressSockets } from '@trivium/express-adapter'
import express from 'express'
import type { Transport } from './transport.ts'
import { notFound } from './unserved.ts'

export const serveExpress: Transport = async ({ routes, sockets }, createServer) => {
  const app = express().disable('x-powered-by').use(expressRoutes(routes))
  app.use((_request, response) => void response.status(notFound.status).json(notFound.body))
  const server = createServer(app)
  const attached = await expressSockets(server, sockets)
  return { server, close: async () => attached.close() }
}
