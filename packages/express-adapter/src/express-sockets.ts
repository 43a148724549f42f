import type { SocketRoute } from '@trivium/http-contract'
import {
  type AttachedSockets,
  type AttachSocketsOptions,
  attachSockets,
  type UpgradeServer,
} from '@trivium/http-contract/node'

/**
 * Serves WebSockets on the server of an Express application. Upgrades bypass Express and its middlewares. Needs the
 * `ws` package.
 */
export const expressSockets = (
  server: UpgradeServer,
  routes: readonly SocketRoute[],
  options?: AttachSocketsOptions,
): Promise<AttachedSockets> => attachSockets(server, routes, options)
