import type { GuardrailError } from '../guardrail-error.ts'

/** Ends a stream that a guardrail has blocked. */
export class StreamBlocked extends Error {
  override readonly name = 'StreamBlocked'
  readonly reason: GuardrailError

  constructor(reason: GuardrailError) {
    super('A guardrail has blocked the answer.')
    this.reason = reason
  }
}
