export type { FastifyRoutesOptions } from './fastify-routes.ts'
export { fastifyRoutes } from './fastify-routes.ts'
export { fastifySockets } from './fastify-sockets.ts'
