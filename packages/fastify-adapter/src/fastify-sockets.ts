import type { IncomingMessage } from 'node:http'
import type { SocketRoute } from '@trivium/http-contract'
import { type AttachSocketsOptions, attachSockets } from '@trivium/http-contract/node'
import type { FastifyPluginAsync } from 'fastify'
import { endTogether } from './end-together.ts'

/**
 * Creates a plugin that serves WebSockets under the prefix that it is registered with. Upgrades bypass Fastify and its
 * hooks. One that no route takes is left to other `upgrade` listeners of the server, and is answered 404 without any.
 * Closing Fastify closes the sockets with 1001. Needs the `ws` package.
 *
 * @example
 * ```ts
 * import { fastifySockets } from '@trivium/fastify-adapter'
 * import { defineSockets, implementSockets } from '@trivium/http-contract'
 * import fastify from 'fastify'
 *
 * const refuse = () => ({ kind: 'empty', status: 500, headers: {} }) as const
 * const sockets = implementSockets(
 *   defineSockets({ echo: { path: '/echo' } }),
 *   { echo: () => ({ open: (socket) => socket.onMessage((message) => socket.send(message)) }) },
 *   { failures: { invalid: refuse, unexpected: refuse } },
 * )
 * const app = fastify()
 * app.register(fastifySockets(sockets), { prefix: '/lab' })
 * await app.listen({ port: 3000 })
 * ```
 */
export function fastifySockets(
  routes: readonly SocketRoute<IncomingMessage>[],
  options: Omit<AttachSocketsOptions, 'prefix'> = {},
): FastifyPluginAsync {
  return async (fastify) => {
    const sockets = await attachSockets(fastify.server, routes, { ...options, prefix: fastify.prefix })
    fastify.addHook('preClose', endTogether(fastify, { close: sockets.close }))
  }
}
