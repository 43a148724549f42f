import type {
  AccessRules,
  AdminCheck,
  AdminRule,
  AnsweredRequest,
  Operation,
  SocketOperation,
} from '@trivium/http-contract'
import type { EmulationOperation } from './contract.ts'
import type { EmulationSocket } from './socket-contract.ts'

/** How the services are put on HTTP. Without `admin` or `authorize` every request is refused. */
export interface EmulationRoutesOptions {
  /** Whether HTTP Basic or Bearer credentials are the admin's, who may do everything. @default no one is the admin */
  readonly admin?: AdminCheck
  /**
   * Replaces who may call which operation, or open which console; a ticket opens its console regardless. A caller
   * that is admitted starts programs and writes files as this process may.
   *
   * @default the admin alone
   */
  readonly authorize?: AccessRules<EmulationOperation | EmulationSocket, AdminRule>
  /**
   * Gets every fault that a client sees as a 500 or 503 or as an answer that breaks off, with the operation, except what
   * a closed service is asked. What it throws is ignored.
   *
   * @default the `onFault` of the service
   */
  readonly onFault?: (error: unknown, operation: Operation | SocketOperation) => void
  /**
   * Hears of each request that was refused before it was read, and of each administrative operation that was answered:
   * the source of an audit log. It has ids and no other part of a body. What it throws goes to `onFault`.
   *
   * @default nothing is reported
   */
  readonly onAnswered?: (answered: AnsweredRequest) => void
  /**
   * Also serves every path with the product names that the original has (`qemu`, `iou`, `vpcs`, `virtualbox`,
   * `dynamips`), where `emu1_path` is `qemu_path`.
   *
   * @default false
   */
  readonly productNames?: boolean
  /** What `/version` and the `server` header say. @default the version of this package */
  readonly version?: string
  /** How often a notification stream without news gets a ping. @default 5 */
  readonly pingSeconds?: number
}
