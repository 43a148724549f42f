import { ProviderFailure } from '@trivium/gateway-core/ports'
import type { Upstream } from '@trivium/provider-kit'
import { type ErrorFields, isObject, type JsonObject, refused } from '@trivium/provider-kit/answers'

/**
 * Finds the error in OpenAI's format and in those of compatible servers: a text, no wrapper, FastAPI's `detail`,
 * Google's list.
 */
export function errorFieldsOf(answer: unknown): ErrorFields {
  if (Array.isArray(answer)) return errorFieldsOf(answer[0])
  if (!isObject(answer)) return {}
  const { error, detail } = answer
  if (isObject(error)) return error
  if (typeof error === 'string') return { ...answer, message: error }
  if (typeof detail === 'string') return { message: detail }
  if (Array.isArray(detail) && isObject(detail[0])) return { message: detail[0].msg, ...paramOf(detail[0].loc) }
  return answer
}

const paramOf = (location: unknown): JsonObject =>
  Array.isArray(location) ? { param: location.filter((part) => part !== 'body').join('.') } : {}

/** Finds an error in an answer whose status is 200 to 299. `undefined` without one. */
export function refusalIn(answer: unknown, { secrets }: Upstream): ProviderFailure | undefined {
  if (!isObject(answer) || !answer.error || Array.isArray(answer.choices)) return undefined
  const code = isObject(answer.error) ? Number(answer.error.code ?? answer.error.status) : Number.NaN
  const status = Number.isInteger(code) && code >= 400 && code <= 599 ? code : 500
  return new ProviderFailure(refused(status, errorFieldsOf(answer), { secrets }))
}
