export { fastifyRoutes } from './fastify-routes.ts'
export { fastifySockets } from './fastify-sockets.ts'
