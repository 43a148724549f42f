import { isObject } from '../chat/is-object.ts'
import { type ProviderError, toProviderError } from './provider-error.ts'

/** An error as OpenAI's clients read it, from a body or from an event of a stream. */
export interface ErrorBody {
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string | null
}

/** Returns whether the upstream refuses the gateway's credentials, account or address, which a client cannot fix. */
const isGatewayFault = (status: number): boolean => status === 401 || status === 402 || status === 403 || status === 407

/** Translates an upstream's failure for the gateway's client. */
export function errorBodyOf(error: ProviderError): ErrorBody {
  const { message } = error
  switch (error.type) {
    case 'refused':
      if (isGatewayFault(error.status))
        return upstreamError('The upstream refused the gateway itself.', 'upstream_refused')
      if (error.status >= 500) return upstreamError(message, error.code ?? 'upstream_error')
      return {
        message,
        type: error.upstreamType ?? (error.status === 429 ? 'rate_limit_error' : 'invalid_request_error'),
        param: error.param ?? null,
        code: error.code ?? (error.status === 429 ? 'upstream_rate_limited' : null),
      }
    case 'unsupported':
      return { message, type: 'invalid_request_error', param: error.param, code: 'unsupported_parameter' }
    case 'unreachable':
      return upstreamError(message, 'upstream_unreachable')
    case 'timed-out':
      return upstreamError(message, 'upstream_timeout')
    case 'interrupted':
      return upstreamError(message, 'upstream_incomplete')
    case 'malformed':
      return upstreamError(message, 'upstream_malformed')
    case 'cancelled':
      return upstreamError(message, 'request_cancelled')
  }
}

const upstreamError = (message: string, code: string): ErrorBody => ({
  message,
  type: 'server_error',
  param: null,
  code,
})

/** The statuses of upstreams' error types and codes, for events without a status. */
const statuses: ReadonlyMap<unknown, number> = new Map([
  ['invalid_request_error', 400],
  ['context_length_exceeded', 400],
  ['authentication_error', 401],
  ['invalid_api_key', 401],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['model_not_found', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['rate_limit_exceeded', 429],
  ['insufficient_quota', 429],
  ['overloaded_error', 529],
  ['server_is_overloaded', 503],
  ['slow_down', 503],
])

/** Reads the value of an error event, which may have any form. */
export function refusalFrom(value: unknown, beforeFirstByte: boolean): ProviderError {
  const { message, type, code, param } = isObject(value) ? value : { message: value }
  const text = typeof message === 'string' && message !== '' ? message : 'The upstream reported an error.'
  const number = typeof code === 'number' && code >= 400 && code <= 599 ? code : undefined
  const status = number ?? statuses.get(code) ?? statuses.get(type) ?? 500
  return toProviderError({
    type: 'refused',
    status,
    message: text,
    beforeFirstByte,
    ...(typeof type === 'string' ? { upstreamType: type } : {}),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof param === 'string' ? { param } : {}),
  })
}
