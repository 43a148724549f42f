import type { SocketRoute } from '@trivium/http-contract'
import {
  type AttachedSockets,
  type AttachSocketsOptions,
  attachSockets,
  type UpgradeServer,
} from '@trivium/http-contract/node'

/**
 * Serves WebSockets beside an Express application; Express itself never sees an upgrade, and so neither do its
 * middlewares. Needs the `ws` package.
 */
export const expressSockets = (
  server: UpgradeServer,
  routes: readonly SocketRoute[],
  options?: AttachSocketsOptions,
): Promise<AttachedSockets> => attachSockets(server, routes, options)
