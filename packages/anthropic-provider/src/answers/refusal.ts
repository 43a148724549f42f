import { ProviderFailure } from '@trivium/gateway-core/ports'
import { type ErrorFields, type JsonObject, objectOr, refused } from '@trivium/provider-kit/answers'

/** Finds the error in an error answer or an `error` event. */
export function errorFieldsOf(answer: unknown): ErrorFields {
  const { type, message } = objectOr(objectOr(answer).error)
  return { type, message }
}

/** Converts an `error` event of a stream to a failure. Its status is derived from the type of the error. */
export function refusalEvent(event: JsonObject, secrets: readonly string[]): ProviderFailure {
  const words = errorFieldsOf(event)
  return new ProviderFailure(refused(statusOf.get(words.type) ?? 500, words, { secrets }))
}

const statusOf: ReadonlyMap<unknown, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
])
