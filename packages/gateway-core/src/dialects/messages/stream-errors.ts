import { type ProviderError, toProviderError } from '../../providers/provider-error.ts'
import type { JsonObject } from '../dialect.ts'
import { objectOr, textIn } from '../json-values.ts'
import { codeOf } from './full-context.ts'

const statuses: ReadonlyMap<unknown, number> = new Map([
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

/** The most characters of an upstream's message that a client gets. */
const MAX_MESSAGE = 2000

/** Reads an `error` event. Its status follows from the type of the error. */
export function errorFrom(event: JsonObject, beforeFirstByte: boolean): ProviderError {
  const { type, message } = objectOr(event.error)
  const words = textIn(message)?.slice(0, MAX_MESSAGE).toWellFormed()
  const code = words === undefined ? undefined : codeOf(words)
  const status = statuses.get(type) ?? 500
  return toProviderError({
    type: 'refused',
    status,
    message: words ?? `The upstream answered with status ${status}.`,
    beforeFirstByte,
    ...(typeof type === 'string' ? { upstreamType: type.slice(0, 128) } : {}),
    ...(code === undefined ? {} : { code }),
  })
}
