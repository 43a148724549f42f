import type { ProviderError } from './provider-error.ts'

/** A failed attempt at an upstream. Another attempt may follow. */
export interface FailedAttempt {
  readonly requestId: string
  /** The id of the provider. */
  readonly provider: string
  /** The upstream's own model id. */
  readonly model: string
  readonly error: ProviderError
}
