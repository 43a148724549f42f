import type { ProviderError } from './provider-error.ts'

/** An attempt at an upstream that gave no answer; others may have followed it. */
export interface FailedAttempt {
  readonly requestId: string
  readonly provider: string
  readonly model: string
  readonly error: ProviderError
}
