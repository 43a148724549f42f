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
 * Whether making a `Request` of the target of a Node request leads to another path than the one that was sent, as of
 * `/a/../b`, `/a/%2e%2e/b` and `/a\\b`. Other transports match the path as it was sent: answer such a request with 400
 * before there is a `Request`, or rules of a proxy for one path do not hold for the other.
 */
export const isRewritten = (target: string | undefined): boolean => REWRITTEN.test(pathOf(target))

const REWRITTEN = /\\|\/(\.|%2e){1,2}(\/|$)/i

/** Serves WebSockets on the Node server under a fetch handler, which never sees an upgrade. Needs the `ws` package. */
export const fetchSockets = (
  server: UpgradeServer,
  routes: readonly SocketRoute[],
  options?: AttachSocketsOptions,
): Promise<AttachedSockets> => attachSockets(server, routes, options)
