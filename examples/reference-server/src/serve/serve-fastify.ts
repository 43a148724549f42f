import { fastifyRoutes, fastifySockets } from '@trivium/fastify-adapter'
import fastify from 'fastify'
import type { Transport } from './transport.ts'
import { badPath, notFound } from './unserved.ts'

export const serveFastify: Transport = async ({ routes, sockets }, createServer) => {
  const app = fastify({
    serverFactory: createServer,
    forceCloseConnections: false,
    routerOptions: { maxParamLength: 1024 },
    frameworkErrors: (_error, _request, { raw }) => {
      raw.writeHead(badPath.status, { 'content-type': 'application/json; charset=utf-8' })
      raw.end(JSON.stringify(badPath.body))
    },
  })
  app.setNotFoundHandler((_request, reply) => reply.code(notFound.status).send(notFound.body))
  app.register(fastifyRoutes(routes))
  app.register(fastifySockets(sockets))
  await app.ready()
  return { server: app.server, close: () => app.close() }
}
