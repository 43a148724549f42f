import { errorBodyOf } from '../../providers/error-body.ts'
import { isOverloaded, OVERLOADED, statusOf } from '../../providers/error-status.ts'
import type { ProviderError } from '../../providers/provider-error.ts'
import type { JsonObject } from '../dialect.ts'
import { given } from './fields.ts'
import { messageWordsOf } from './full-context.ts'

/** An error in Anthropic's words. */
export interface MessageError {
  readonly type: string
  readonly message: string
  readonly details?: JsonObject
}

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

/** Returns Anthropic's type of an error with this status. */
export const messageErrorType = (status: number): string =>
  types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')

/** Translates an upstream's failure for a client of messages. */
export const messageErrorOf = (error: ProviderError): MessageError => ({
  type: messageErrorType(isOverloaded(error) ? OVERLOADED : statusOf(error)),
  message: messageWordsOf(error, wordsNaming(errorBodyOf(error))),
  ...given('details', messageDetailsOf(error)),
})

const ofParameters: ReadonlySet<unknown> = new Set(['unsupported_parameter', 'invalid_value'])

/** Returns the message of an error, before it the field that is refused, as Anthropic has no place of its own for it. */
export const wordsNaming = ({
  message,
  param,
  code,
}: {
  readonly message: string
  readonly param?: string | null
  readonly code?: string | null
}): string => (param && ofParameters.has(code) && !message.includes(param) ? `${param}: ${message}` : message)

/** Returns what the error of the upstream says for programs. That of its own faults concerns the gateway. */
export const messageDetailsOf = (error: ProviderError): JsonObject | undefined =>
  'details' in error && statusOf(error) < 500 ? error.details : undefined
