import type { AccessRules, AdminCheck, AdminRule, Operation } from '@trivium/http-contract'
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
  /** What `/api/cluster` calls itself. @default 'trivium' */
  readonly clusterName?: string
}
