import type { ProviderError } from './provider-error.ts'

/** A failed attempt at an upstream. Another attempt may follow. */
export interface FailedAttempt {
  readonly requestId: string
  readonly provider: string
  readonly model: string
  readonly error: ProviderError
}
