import type {
  AccessRules,
  AdminCheck,
  AnsweredRequest,
  Operation,
  OptionNames,
  SocketOperation,
} from '@trivium/http-contract'
import type { AccessRule } from './access/access.ts'
import type { GatewayOperation } from './contract.ts'
import type { GatewaySocket } from './realtime/socket-contract.ts'

/** Options of the routes. Without `admin` or `authorize`, no one can create keys. */
export interface GatewayRoutesOptions<Host = unknown> {
  /** Checks the admin's credentials, HTTP Basic or Bearer. The admin can use every operation. @default no one is the admin */
  readonly admin?: AdminCheck
  /**
   * Replaces the access rules of operations. A rule of the host gets the host's own request as `host`.
   *
   * @default stored images, health and `validate` are open, operations on keys, files and batches require the admin, all
   * others a key
   */
  readonly authorize?: AccessRules<GatewayOperation | GatewaySocket, AccessRule<Host>>
  /**
   * Receives every fault that a client gets as a 500, a 503 or an incomplete answer, with its operation. Requests to a
   * closed gateway are not faults. Errors of `onFault` are ignored.
   *
   * @default `onFault` of the gateway, which gets the id of the operation
   */
  readonly onFault?: (error: unknown, operation: Operation | SocketOperation, id: string) => void
  /**
   * Receives each request that was refused before it was read, and each answered administrative operation, for an audit
   * log. Of bodies it contains only ids. Its errors are reported to `onFault`.
   *
   * @default nothing is reported
   */
  readonly onAnswered?: (answered: AnsweredRequest) => void
  /**
   * The `http` or `https` URL at which clients reach the routes, without a query and a fragment. The URLs of stored
   * images begin with it.
   *
   * @default the address that the host reports for each request
   */
  readonly publicUrl?: string
  /** The most bytes of a request of chat completions, responses or messages, at least 1. @default 32 MiB */
  readonly chatBodyLimit?: number
  /**
   * The clock of headers, and of the period of usage without `to`. Pass the `now` of the gateway.
   *
   * @default the system's clock
   */
  readonly now?: () => Date
  /** Creates the ids of requests, which get the prefix `req_`. @default crypto.randomUUID */
  readonly newId?: () => string
}

/** The names of the options, for hosts in plain JavaScript. */
export const gatewayRoutesOptionNames: OptionNames<GatewayRoutesOptions> = {
  admin: true,
  authorize: true,
  onFault: true,
  onAnswered: true,
  publicUrl: true,
  chatBodyLimit: true,
  now: true,
  newId: true,
}
