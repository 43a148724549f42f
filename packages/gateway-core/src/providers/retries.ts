import { checkRange, MAX_TIMER_SECONDS } from '../check-range.ts'
import type { ProviderError } from './provider-error.ts'

/** When an upstream is called again after a retryable failure. */
export interface RetryOptions {
  /** Attempts at one upstream beyond the first, from 0 to 100. @default 1 */
  readonly retries?: number
  /** The longest wait before a retry. Where it is longer, the next upstream is tried. From 0 to 2,147,483. @default 5 */
  readonly maxWaitSeconds?: number
  /**
   * The wait before the first retry where the upstream requests none. It doubles with each retry, and is multiplied by a
   * random factor from 0.5 to 1. From 0 to 2,147,483,000.
   *
   * @default 250
   */
  readonly backoffMs?: number
}

/** Returns the milliseconds before the next attempt at an upstream, or `undefined` for no retry. */
export type WaitBeforeRetry = (error: ProviderError, failures: number) => number | undefined

const MAX_RETRIES = 100

export function createRetries(options: RetryOptions, random: () => number): WaitBeforeRetry {
  const { retries = 1, maxWaitSeconds = 5, backoffMs = 250 } = options
  checkRange({ 'retries.retries': retries }, 0, MAX_RETRIES)
  checkRange({ 'retries.maxWaitSeconds': maxWaitSeconds }, 0, MAX_TIMER_SECONDS)
  checkRange({ 'retries.backoffMs': backoffMs }, 0, MAX_TIMER_SECONDS * 1000)
  return (error, failures) => {
    const seconds = error.retryAfterSeconds ?? (backoffMs / 1000) * 2 ** failures * (0.5 + random() / 2)
    return error.retryable && failures < retries && seconds <= maxWaitSeconds ? seconds * 1000 : undefined
  }
}

/** Returns whether another upstream would refuse the request as well. */
export function isRequestError(error: ProviderError): boolean {
  if (error.type === 'refused') return [400, 409, 413, 422].includes(error.status)
  return error.type === 'unsupported'
}
