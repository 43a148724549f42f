import type { SocketRoute } from '@trivium/http-contract'
import { type AttachSocketsOptions, attachSockets } from '@trivium/http-contract/node'
import type { FastifyPluginAsync } from 'fastify'

/**
 * Creates a plugin that serves WebSockets under the prefix that it is registered with. Upgrades bypass Fastify and its
 * hooks. Closing Fastify closes the sockets. Needs the `ws` package.
 */
export function fastifySockets(
  routes: readonly SocketRoute[],
  options: Omit<AttachSocketsOptions, 'prefix'> = {},
): FastifyPluginAsync {
  return async (fastify) => {
    const sockets = await attachSockets(fastify.server, routes, { ...options, prefix: fastify.prefix })
    fastify.addHook('preClose', () => sockets.close())
  }
}
