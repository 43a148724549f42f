import { type ProviderErrorInit, ProviderFailure } from '@trivium/gateway-core/ports'
import {
  isObject,
  type JsonObject,
  objectOr,
  parseJson,
  refused,
  retryAfterSeconds,
  textOr,
  upstreamFailures,
} from '@trivium/provider-kit/answers'

/**
 * Converts what a model object threw: errors of upstreams to a `ProviderFailure`. A fault of the object is returned
 * unchanged.
 */
export function failure(thrown: unknown, signal: AbortSignal, now: () => Date): unknown {
  if (ProviderFailure.is(thrown)) return thrown
  if (signal.aborted) return new ProviderFailure(upstreamFailures.cancelled)
  if (!(thrown instanceof Error)) return thrown
  const init = failures.get(thrown.name)?.(thrown, now) ?? connectionFailure(thrown)
  return init ? new ProviderFailure(init, { cause: thrown }) : thrown
}

/** Converts the value of an `error` part, which can be anything and is the upstream's, not a fault. */
export function failureInStream(error: unknown, signal: AbortSignal, now: () => Date): unknown {
  const known = failure(error, signal, now)
  if (ProviderFailure.is(known)) return known
  const errorFields = isObject(error) && !(error instanceof Error) ? objectOr(error.error ?? error) : { message: error }
  return new ProviderFailure(
    refused(500, { ...errorFields, message: textOr(errorFields.message, 'The model failed.') }),
  )
}

const malformed = (): ProviderErrorInit => ({
  type: 'malformed',
  message: 'The upstream sent an invalid answer.',
})

/** By name, because each copy of the SDK has its own classes. */
const failures: ReadonlyMap<string, (error: Error, now: () => Date) => ProviderErrorInit> = new Map([
  ['AI_APICallError', callFailure],
  ['AI_EmptyResponseBodyError', malformed],
  ['AI_InvalidResponseDataError', malformed],
  ['AI_JSONParseError', malformed],
  ['AI_NoContentGeneratedError', malformed],
  ['AI_TypeValidationError', malformed],
  [
    'AI_UnsupportedFunctionalityError',
    (error: Error): ProviderErrorInit => ({
      type: 'unsupported',
      param: 'functionality' in error ? textOr(error.functionality) : '',
      message: excerpt(error.message),
    }),
  ],
  ['AI_InvalidPromptError', badRequest],
  ['AI_InvalidArgumentError', badRequest],
])

function badRequest(error: Error): ProviderErrorInit {
  return { type: 'refused', status: 400, upstreamType: 'invalid_request_error', message: excerpt(error.message) }
}

function callFailure(error: Error, now: () => Date): ProviderErrorInit {
  if (!('statusCode' in error) || typeof error.statusCode !== 'number') {
    return upstreamFailures.unreachable
  }
  const { statusCode: status } = error
  if (status < 400) return malformed()
  const body = parseJson('responseBody' in error ? textOr(error.responseBody) : '')
  const headers = objectOr('responseHeaders' in error ? error.responseHeaders : undefined)
  const errorFields = { ...objectOr(objectOr(body).error), message: error.message }
  return refused(status, errorFields, { retryAfterSeconds: retryAfterSeconds(textsOf(headers), now) })
}

const textsOf = (headers: JsonObject): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).filter((header): header is [string, string] => typeof header[1] === 'string'),
  )

/** Converts an error of `fetch`. */
function connectionFailure(error: Error): ProviderErrorInit | undefined {
  if (error.name === 'AbortError' || error.name === 'ResponseAborted') {
    return { type: 'interrupted', message: 'The call to the upstream was aborted.' }
  }
  if (error.name === 'TimeoutError') {
    return { type: 'timed-out', phase: 'total', message: 'The upstream took too long.' }
  }
  if (!(error instanceof TypeError) || !/^(?:terminated|fetch failed)/.test(error.message)) return undefined
  return error.message.startsWith('terminated') ? upstreamFailures.interrupted : upstreamFailures.unreachable
}

const MAX_MESSAGE_LENGTH = 2000
const excerpt = (message: string): string => message.slice(0, MAX_MESSAGE_LENGTH)
