import type { ApiKey } from './api-keys/api-key.ts'
import type { Nanodollars } from './money/dollars.ts'
import type { RateState } from './rate-limits/rate-limiter.ts'
import type { CapturedContent } from './request-log/captured-content.ts'

/** Who sent a request. Only keys and users have limits. */
export type Caller =
  | { readonly type: 'key'; readonly key: ApiKey }
  | { readonly type: 'admin' }
  | UserOfHost
  /** The host made the operation public. */
  | { readonly type: 'anonymous' }

/** A user of the host, without an API key. Requests and tokens are counted for each `id`. */
export interface UserOfHost {
  readonly type: 'user'
  /** 1 to 128 characters without control characters. */
  readonly id: string
  /** An absent limit is unlimited. @default unlimited */
  readonly limits?: {
    /** Admitted requests in any 60 seconds, at least 1. */
    readonly requestsPerMinute?: number
    /** Input and output together, in a minute of the clock. */
    readonly tokensPerMinute?: number
    /** Input and output together, in a day of UTC. */
    readonly tokensPerDay?: number
  }
}

/** One request to the gateway. The gateway sets the values that the response headers report. */
export interface GatewayCall {
  readonly requestId: string
  readonly caller: Caller
  /** Aborts when the client disconnects before the answer is complete. */
  readonly signal: AbortSignal
  /**
   * Set for what the gateway asks itself while it works on a request. Such a call takes no place of an upstream's limit of
   * running requests, which that request may have.
   *
   * @default false
   */
  readonly isOwn?: true
  /** Set once the rate limit of the key or the user was checked. */
  rate?: RateState
  /** Set with a whole answer of a model whose price is known, unless the host's `showCost` is `false`. */
  cost?: Nanodollars
  /** Set where the request was counted before its model is called. That call then does not count it again. */
  isAdmitted?: boolean
  /** Set where the gateway has limited the output of the request, by what its caller can afford. */
  isOutputLimited?: boolean
  /** Set where the answer cache was asked for the answer. */
  cache?: CacheState
  /** Set where requests are logged. */
  content?: CapturedContent
}

/** Whether an answer is that of an earlier request, and how old it is. */
export type CacheState = { readonly status: 'hit'; readonly ageSeconds: number } | { readonly status: 'miss' }
