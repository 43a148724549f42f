import type { AdminCheck, Operation, RequestHeaders } from '@trivium/http-contract'
import type { Promisable } from 'type-fest'

/** How the services are put on HTTP. Without `admin` or `authorize` every request is refused. */
export interface StorageRoutesOptions {
  /** Whether HTTP Basic or Bearer credentials are the admin's, who may do everything. @default nobody is the admin */
  readonly admin?: AdminCheck
  /** Replaces who may use the interface, all of it. @default whom `admin` says */
  readonly authorize?: (headers: RequestHeaders) => Promisable<boolean>
  /** What `/api/cluster` calls itself. @default 'trivium' */
  readonly clusterName?: string
  /** Told of every fault that a client only sees as a 500. */
  readonly onFault?: (error: unknown, operation: Operation) => void
}
