import { isObject } from '../chat/is-object.ts'
import type { Dialect, JsonObject } from '../dialects/dialect.ts'
import { listOr, objectOr, objectsOf } from '../dialects/json-values.ts'

const chatEndings: ReadonlySet<unknown> = new Set(['stop', 'length', 'tool_calls', 'function_call'])
const messageEndings: ReadonlySet<unknown> = new Set(['end_turn', 'max_tokens', 'stop_sequence', 'tool_use'])

/**
 * Returns whether an answer is complete, and not refused. One that has reached the limit of tokens that its client has set
 * is complete. Any other limit is not that of an equal request.
 *
 * @param isLimited whether the client has limited the output
 */
export function isStorable(dialect: Dialect, answer: JsonObject, isLimited: boolean): boolean {
  return isWhole(dialect, answer) && (isLimited || !isCut(dialect, answer))
}

function isCut(dialect: Dialect, { choices, stop_reason: reason, status }: JsonObject): boolean {
  switch (dialect) {
    case 'chat':
      return objectsOf(choices).some(({ finish_reason: finish }) => finish === 'length')
    case 'messages':
      return reason === 'max_tokens'
    case 'responses':
      return status === 'incomplete'
  }
}

function isWhole(dialect: Dialect, answer: JsonObject): boolean {
  switch (dialect) {
    case 'chat':
      return hasObjects(answer.choices) && objectsOf(answer.choices).every(isAnswered)
    case 'messages':
      return hasObjects(answer.content) && messageEndings.has(answer.stop_reason)
    case 'responses':
      return hasObjects(answer.output) && hasEnded(answer) && !objectsOf(answer.output).some(isRefused)
  }
}

const hasObjects = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isObject)

const isAnswered = ({ message, finish_reason: reason }: JsonObject): boolean =>
  isObject(message) && chatEndings.has(reason) && !message.refusal

const hasEnded = ({ status, incomplete_details: details }: JsonObject): boolean =>
  status === 'completed' || (status === 'incomplete' && objectOr(details).reason === 'max_output_tokens')

const isRefused = ({ content }: JsonObject): boolean =>
  listOr(content).some((part) => isObject(part) && part.type === 'refusal')
