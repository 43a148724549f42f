import type { ApiKey } from './api-keys/api-key.ts'
import type { RateState } from './rate-limits/rate-limiter.ts'

/** Who sent a request. Only keys have limits. */
export type Caller =
  | { readonly type: 'key'; readonly key: ApiKey }
  | { readonly type: 'admin' }
  /** The host made the operation public. */
  | { readonly type: 'anonymous' }

/** One request to the gateway. The gateway sets the values that the response headers report. */
export interface GatewayCall {
  readonly requestId: string
  readonly caller: Caller
  /** Aborts when the client disconnects before the answer is complete. */
  readonly signal: AbortSignal
  /** Set once the key's rate limit was checked. */
  rate?: RateState
}
