import type { JsonObject } from '../dialects/dialect.ts'
import { isObject } from './is-object.ts'

export interface AnswerFacts {
  readonly responseId?: string
  readonly responseModel?: string
  readonly finishReasons: readonly string[]
}

/** Reads what the usage record keeps of a complete answer. A relayed answer is unchecked, so any field may be malformed. */
export function factsOf({ id, model, choices }: JsonObject): AnswerFacts {
  return {
    ...(typeof id === 'string' ? { responseId: id } : {}),
    ...(typeof model === 'string' ? { responseModel: model } : {}),
    finishReasons: Array.isArray(choices) ? choices.map(finishReason) : [],
  }
}

function finishReason(choice: unknown): string {
  const reason = isObject(choice) ? choice.finish_reason : undefined
  return typeof reason === 'string' ? reason : 'unknown'
}
