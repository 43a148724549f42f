import type {
  AccessRules,
  AdminCheck,
  AdminRule,
  AnsweredRequest,
  Operation,
  OptionNames,
  SocketOperation,
} from '@trivium/http-contract'
import type { StorageOperation } from './contract.ts'
import type { StorageSocket } from './socket-contract.ts'

/** The access rules and reports of the HTTP interface. Without `admin` or `authorize` every request is refused. */
export interface StorageRoutesOptions<Host = unknown> {
  /** Checks whether HTTP Basic or Bearer credentials are those of the admin. @default no one is the admin */
  readonly admin?: AdminCheck
  /**
   * Replaces the access rules of operations and sockets. A rule of the host gets the host's own request as `host`. A user sees only
   * their `volumes`, and what belongs to those; an admin, and callers of an `open` operation, see everything.
   *
   * @default only the admin may call them
   */
  readonly authorize?: AccessRules<StorageOperation | StorageSocket, AdminRule<Host>>
  /**
   * Receives every fault that a client sees as a 500, a 503 or an interrupted answer, with the operation. Requests
   * after `close` are not reported. What it throws is ignored.
   *
   * @default the `onFault` of the service, which gets the id of the operation
   */
  readonly onFault?: (error: unknown, operation: Operation | SocketOperation, id: string) => void
  /**
   * Receives each request that was refused before it was read, and each administrative operation that was answered, for
   * an audit log. It contains ids and no other part of a body. What it throws goes to `onFault`.
   *
   * @default nothing is reported
   */
  readonly onAnswered?: (answered: AnsweredRequest) => void
  /**
   * The `http` or `https` URL at which clients reach the routes, without a query and a fragment. `_links` and `Location`
   * are paths, and begin with its path.
   *
   * @default the address that the host reports for each request
   */
  readonly publicUrl?: string
  /** The `name` in `/api/cluster`. @default 'trivium' */
  readonly clusterName?: string
  /**
   * The most sockets of notices that are open at the same time, from 1 to 10,000. Each new notice is read once for each of
   * them. @default 100
   */
  readonly noticeSockets?: number
}

/** The names of the options, for hosts in plain JavaScript. */
export const storageRoutesOptionNames: OptionNames<StorageRoutesOptions> = {
  admin: true,
  authorize: true,
  onFault: true,
  onAnswered: true,
  publicUrl: true,
  clusterName: true,
  noticeSockets: true,
}
