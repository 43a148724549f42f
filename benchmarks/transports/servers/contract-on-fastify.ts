import { fastifyRoutes } from '@trivium/fastify-adapter'
import fastify from 'fastify'
import { routes } from '../contract-routes.ts'

export async function start(): Promise<number> {
  const server = fastify()
  server.register(fastifyRoutes(routes))
  return Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port)
}
