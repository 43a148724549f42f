import type { ApiKey } from './api-keys/api-key.ts'
import type { RateState } from './rate-limits/rate-limiter.ts'

/** Who asks. Only keys are limited. */
export type Caller =
  | { readonly type: 'key'; readonly key: ApiKey }
  | { readonly type: 'admin' }
  /** Where the host opened an operation to everyone. */
  | { readonly type: 'anonymous' }

/** One request to the gateway. The gateway writes down on it what the answer's headers tell. */
export interface GatewayCall {
  readonly requestId: string
  readonly caller: Caller
  /** Aborts when the client goes away before the answer is complete. */
  readonly signal: AbortSignal
  /** Set once a key's limit was asked. */
  rate?: RateState
}
