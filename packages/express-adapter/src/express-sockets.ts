import type { IncomingMessage } from 'node:http'
import type { SocketRoute } from '@trivium/http-contract'
import {
  type AttachedSockets,
  type AttachSocketsOptions,
  attachSockets,
  type UpgradeServer,
} from '@trivium/http-contract/node'

/**
 * Serves WebSockets on the server of an Express application. Upgrades bypass Express and its middlewares. One that no
 * route takes is left to other `upgrade` listeners of the server, and is answered 404 without any. Needs the `ws`
 * package. `close` of the result closes the sockets, which `closeServer` calls for its mounts.
 *
 * @example
 * ```ts
 * import { expressSockets } from '@trivium/express-adapter'
 * import { defineSockets, implementSockets } from '@trivium/http-contract'
 * import express from 'express'
 *
 * const refuse = () => ({ kind: 'empty', status: 500, headers: {} }) as const
 * const sockets = implementSockets(
 *   defineSockets({ echo: { path: '/echo' } }),
 *   { echo: () => ({ open: (socket) => socket.onMessage((message) => socket.send(message)) }) },
 *   { failures: { invalid: refuse, unexpected: refuse } },
 * )
 * const server = express().listen(3000, '127.0.0.1')
 * await expressSockets(server, sockets, { prefix: '/lab' })
 * ```
 */
export const expressSockets = (
  server: UpgradeServer,
  routes: readonly SocketRoute<IncomingMessage>[],
  options?: AttachSocketsOptions,
): Promise<AttachedSockets> => attachSockets(server, routes, options)
