import { isRefusal, Refusal } from '@trivium/emulation-core/ports'
import type { Outcome } from './messages.ts'

export function failureOf(error: unknown): Outcome<never> {
  if (isRefusal(error)) {
    const { reason, message, debianPackage, cause } = error
    const options = debianPackage === undefined ? { cause } : { cause, debianPackage }
    return { type: 'refused', reason, message, options }
  }
  return { type: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
}

/** @throws what the call has thrown */
export function resultOf<V>(outcome: Outcome<V>): V {
  if (outcome.type === 'done') return outcome.value
  if (outcome.type === 'refused') throw new Refusal(outcome.reason, outcome.message, outcome.options)
  throw outcome.error
}
