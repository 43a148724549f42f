import type { AccessRules, AdminCheck, AdminRule, AnsweredRequest, Operation } from '@trivium/http-contract'
import type { StorageOperation } from './contract.ts'

/** How the services are put on HTTP. Without `admin` or `authorize` every request is refused. */
export interface StorageRoutesOptions {
  /** Whether HTTP Basic or Bearer credentials are the admin's, who may do everything. @default no one is the admin */
  readonly admin?: AdminCheck
  /** Replaces who may call which operation. @default the admin alone */
  readonly authorize?: AccessRules<StorageOperation, AdminRule>
  /**
   * Gets every fault that a client sees as a 500 or 503 or as an answer that breaks off, with the operation, except what
   * a closed service is asked. What it throws is ignored.
   *
   * @default the `onFault` of the service
   */
  readonly onFault?: (error: unknown, operation: Operation) => void
  /**
   * Hears of each request that was refused before it was read, and of each administrative operation that was answered:
   * the source of an audit log. It has ids and no other part of a body. What it throws goes to `onFault`.
   *
   * @default nothing is reported
   */
  readonly onAnswered?: (answered: AnsweredRequest) => void
  /** What `/api/cluster` calls itself. @default 'trivium' */
  readonly clusterName?: string
}
