import { messageErrorCode } from '@trivium/gateway-core/ports'
import { type ErrorFields, objectOr, textOr } from '@trivium/provider-kit/answers'

/** Finds the error in an error answer. A prompt that is too long has the code that clients of OpenAI know. */
export function errorFieldsOf(answer: unknown): ErrorFields {
  const { type, message, details } = objectOr(objectOr(answer).error)
  return { type, message, code: messageErrorCode(textOr(message)), details }
}
