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

/** Serves WebSockets on the Node server of a fetch handler. Upgrades bypass the handler. Needs the `ws` package. */
export const fetchSockets = (
  server: UpgradeServer,
  routes: readonly SocketRoute[],
  options?: AttachSocketsOptions,
): Promise<AttachedSockets> => attachSockets(server, routes, options)
