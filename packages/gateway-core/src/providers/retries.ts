import type { ProviderError } from './provider-error.ts'

/** When an upstream is asked again after a failure that may pass. */
export interface RetryOptions {
  /** Attempts at one upstream beyond the first. @default 1 */
  readonly retries?: number
  /** The longest wait that an upstream may ask for; beyond it the next upstream is tried. @default 5 */
  readonly maxWaitSeconds?: number
  /** The wait before a first retry where the upstream asks for none; doubled each time, and shortened at random. @default 250 */
  readonly backoffMs?: number
}

/** How many milliseconds to wait before an upstream is asked again; `undefined` where it is not to be. */
export type WaitBeforeRetry = (error: ProviderError, failures: number) => number | undefined

export function createRetries(options: RetryOptions, random: () => number): WaitBeforeRetry {
  const { retries = 1, maxWaitSeconds = 5, backoffMs = 250 } = options
  return (error, failures) => {
    const seconds = error.retryAfterSeconds ?? (backoffMs / 1000) * 2 ** failures * (0.5 + random() / 2)
    return error.retryable && failures < retries && seconds <= maxWaitSeconds ? seconds * 1000 : undefined
  }
}

/** What another upstream would refuse as well. */
export function isRequestsFault(error: ProviderError): boolean {
  if (error.type === 'refused') return [400, 409, 413, 422].includes(error.status)
  return error.type === 'unsupported'
}
