import type {
  AccessRules,
  AdminCheck,
  AdminRule,
  AnsweredRequest,
  Operation,
  OptionNames,
  SocketOperation,
} from '@trivium/http-contract'
import type { EmulationOperation } from './contract.ts'
import type { EmulationSocket } from './socket-contract.ts'

/** Options of the HTTP interface. Without `admin` or `authorize` every request is refused. */
export interface EmulationRoutesOptions<Host = unknown> {
  /**
   * Checks whether HTTP Basic or Bearer credentials are the admin's, who may do everything.
   *
   * @default no one is the admin
   */
  readonly admin?: AdminCheck
  /**
   * Sets who may call which operation or open which console. A rule of the host gets the host's own request as `host`. A
   * user sees only the projects that they created and those of their `labs`. A ticket opens its console regardless. An
   * admitted caller can start programs and write files with the rights of this process.
   *
   * @default the admin alone
   */
  readonly authorize?: AccessRules<EmulationOperation | EmulationSocket, AdminRule<Host>>
  /**
   * Receives every fault that a client gets as a 500, a 503 or an interrupted response, with the operation. Requests to
   * a closed service are left out. Errors that it throws are ignored.
   *
   * @default the `onFault` of the emulation, which gets the id of the operation
   */
  readonly onFault?: (error: unknown, operation: Operation | SocketOperation, id: string) => void
  /**
   * Receives each request that was refused before it was read, and each administrative operation that was answered, for
   * an audit log. It gets ids and no other part of a body. Errors that it throws go to `onFault`.
   *
   * @default no audit log
   */
  readonly onAnswered?: (answered: AnsweredRequest) => void
  /**
   * Also serves every path with the product names of the original server (`qemu`, `iou`, `vpcs`, `virtualbox`,
   * `dynamips`). There `emu1_path` is `qemu_path`.
   *
   * @default false
   */
  readonly productNames?: boolean
  /**
   * The `http` or `https` URL at which clients reach the routes, without a query and a fragment. `X-Route` begins with
   * its path.
   *
   * @default the address that the host reports for each request
   */
  readonly publicUrl?: string
  /** The version in the `server` header, and in `/version` without `reportedVersion`. @default the version of this package */
  readonly version?: string
  /**
   * The version that `/version` reports and expects, for clients that refuse every version but their own: desktop
   * clients of the original since 1.3.0.
   *
   * @default `version`
   */
  readonly reportedVersion?: string
  /** The time without notifications after which a notification stream sends a ping. @default 5 */
  readonly pingSeconds?: number
}

/** The names of the options, for hosts in plain JavaScript. */
export const emulationRoutesOptionNames: OptionNames<EmulationRoutesOptions> = {
  admin: true,
  authorize: true,
  onFault: true,
  onAnswered: true,
  productNames: true,
  publicUrl: true,
  version: true,
  reportedVersion: true,
  pingSeconds: true,
}
