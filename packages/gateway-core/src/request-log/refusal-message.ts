import type { GuardrailError } from '../guardrails/guardrail-error.ts'
import type { Refusal } from './refusal-status.ts'

/** Returns what the log says of guardrails that have stopped an answer. It has no text of the answer. */
export const stoppedMessage = (error: GuardrailError): string | undefined =>
  error.type === 'guardrail-blocked'
    ? `The guardrail '${error.guardrail}' has stopped the answer: ${error.category}.`
    : refusalMessage(error)

/** Returns what the log says of a refusal besides its type. It has no text of the request. */
export function refusalMessage(refusal: Refusal): string | undefined {
  switch (refusal.type) {
    case 'guardrail-blocked':
      return `The guardrail '${refusal.guardrail}' has refused this request: ${refusal.category}.`
    case 'guardrail-failed':
      return `The guardrail '${refusal.guardrail}' has not answered.`
    case 'model-not-priced':
      return `The price of the model '${refusal.target ?? refusal.model}' is not known.`
    default:
      return undefined
  }
}
