import type { SocketRoute } from '@trivium/http-contract'
import {
  type AttachedSockets,
  type AttachSocketsOptions,
  attachSockets,
  type UpgradeServer,
} from '@trivium/http-contract/node'

export type { AttachSocketsOptions } from '@trivium/http-contract/node'

/** Serves WebSockets on the Node server under a fetch handler, which never sees an upgrade. Needs the `ws` package. */
export const fetchSockets = (
  server: UpgradeServer,
  routes: readonly SocketRoute[],
  options?: AttachSocketsOptions,
): Promise<AttachedSockets> => attachSockets(server, routes, options)
