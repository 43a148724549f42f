import { errorBodyOf } from '../../providers/error-body.ts'
import { isOverloaded, OVERLOADED, statusOf } from '../../providers/error-status.ts'
import type { ProviderError } from '../../providers/provider-error.ts'
import { messageWordsOf } from './full-context.ts'

/** An error in Anthropic's words. */
export interface MessageError {
  readonly type: string
  readonly message: string
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
  message: messageWordsOf(error, errorBodyOf(error).message),
})
