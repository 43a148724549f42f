import type { AccessRules, AdminCheck, AnsweredRequest, Operation } from '@trivium/http-contract'
import type { AccessRule } from './access/access.ts'
import type { GatewayOperation } from './contract.ts'

/** How the services are put on HTTP. Without `admin` or `authorize` keys are served and no one can make them. */
export interface GatewayRoutesOptions {
  /** Whether HTTP Basic or Bearer credentials are the admin's, who may do everything. @default no one is the admin */
  readonly admin?: AdminCheck
  /** Replaces who may call which operation. @default closed: images, health and `validate` are open, keys are the admin's */
  readonly authorize?: AccessRules<GatewayOperation, AccessRule>
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
  /**
   * Where clients reach the routes, without a slash at the end: stored pictures have their addresses below it.
   *
   * @default `http://` and the request's Host
   */
  readonly publicUrl?: string
  /** The most bytes of a chat request. @default 8 MiB */
  readonly chatBodyLimit?: number
  /** @default the system's clock */
  readonly now?: () => Date
  /** Makes the ids of requests. @default crypto.randomUUID */
  readonly newId?: () => string
}
