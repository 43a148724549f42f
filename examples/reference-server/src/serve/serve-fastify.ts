import { fastifyRoutes, fastifySockets } from '@trivium/fastify-adapter'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import type { Transport } from './transport.ts'
import { badPath, notFoundAt } from './unrouted-replies.ts'

const noSchemas = (): never => {
  throw new Error('The routes of this server have no schemas of Fastify.')
}

export const serveFastify: Transport = async ({ routes, sockets }, hosting) => {
  const app = fastify({
    serverFactory: hosting.createServer,
    trustProxy: hosting.proxies.isTrusted,
    forceCloseConnections: false,
    // Fastify loads its validator and its serializer where they are not given.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    routerOptions: { maxParamLength: 1024 },
    frameworkErrors: (_error, _request, { raw }) => {
      raw.writeHead(badPath.status, { 'content-type': 'application/json' })
      raw.end(JSON.stringify(badPath.body))
    },
  })
  const answerNotFound = (request: FastifyRequest, reply: FastifyReply) => {
    if (hosting.unrouted) {
      reply.hijack()
      hosting.unrouted(request.raw, reply.raw)
      return reply
    }
    const { status, body } = notFoundAt(request.url)
    return reply.code(status).header('content-type', 'application/json').serializer(JSON.stringify).send(body)
  }
  app.setNotFoundHandler(answerNotFound)
  // Runs before Fastify refuses the body of a request without a route with a message of its own.
  app.addHook('onRequest', (request, reply, done) => (request.is404 ? answerNotFound(request, reply) : done()))
  app.register(fastifyRoutes(routes, { nativeRoutes: false }))
  app.register(fastifySockets(sockets, hosting.sockets))
  await app.ready()
  return { server: app.server, mounts: [{ close: () => app.close() }] }
}
