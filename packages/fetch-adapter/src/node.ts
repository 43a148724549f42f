import type { IncomingMessage } from 'node:http'
import type { SocketRoute } from '@trivium/http-contract'
import {
  type AttachedSockets,
  type AttachSocketsOptions,
  attachSockets,
  pathOf,
  type UpgradeServer,
} from '@trivium/http-contract/node'

export type { AttachSocketsOptions } from '@trivium/http-contract/node'

/**
 * Whether a `Request` for the target of a Node request has another path than the one that was sent, as for `/a/../b`,
 * `/a/%2e%2e/b` and `/a\\b`. Answer such a request with 400 before a `Request` is created. Otherwise rules of a proxy
 * for the path that was sent do not apply to the path that is served.
 */
export const isRewritten = (target: string | undefined): boolean => REWRITTEN.test(pathOf(target))

const REWRITTEN = /\\|\/(\.|%2e){1,2}(\/|$)/i

/**
 * Serves WebSockets on the Node server of a fetch handler. Upgrades bypass the handler. One that no route takes is left
 * to other `upgrade` listeners of the server, and is answered 404 without any. Needs the `ws` package. `close` of the
 * result closes the sockets, which `closeServer` calls for its mounts.
 *
 * @example
 * ```ts
 * import { serve } from '@hono/node-server'
 * import { fetchSockets } from '@trivium/fetch-adapter/node'
 * import { defineSockets, implementSockets } from '@trivium/http-contract'
 * import { Hono } from 'hono'
 *
 * const refuse = () => ({ kind: 'empty', status: 500, headers: {} }) as const
 * const sockets = implementSockets(
 *   defineSockets({ echo: { path: '/echo' } }),
 *   { echo: () => ({ open: (socket) => socket.onMessage((message) => socket.send(message)) }) },
 *   { failures: { invalid: refuse, unexpected: refuse } },
 * )
 * const server = serve({ fetch: new Hono().fetch, port: 3000, hostname: '127.0.0.1' })
 * await fetchSockets(server, sockets, { prefix: '/lab' })
 * ```
 */
export const fetchSockets = (
  server: UpgradeServer,
  routes: readonly SocketRoute<IncomingMessage>[],
  options?: AttachSocketsOptions,
): Promise<AttachedSockets> => attachSockets(server, routes, options)
