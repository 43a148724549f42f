import { ProviderFailure, retryAfterSeconds } from '@trivium/gateway-core/ports'
import { type JsonObject, objectOr, parseJson, textOr } from '../json.ts'

export interface RefusalOptions {
  /** Never told to a client, even where the upstream repeats them. */
  readonly secrets: readonly string[]
  readonly now: () => Date
}

export interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** An answer whose status is not good. */
export function refusal({ status, headers, text }: Refusal, { secrets, now }: RefusalOptions): ProviderFailure {
  if (status >= 300 && status < 400) {
    return new ProviderFailure({
      type: 'malformed',
      message: 'The upstream answered with a redirect, which is not followed.',
    })
  }
  return refused(status, objectOr(objectOr(parseJson(text)).error), secrets, retryAfterSeconds(headers, now))
}

/** An `error` event inside a stream, which tells no status: the error's type stands for one. */
export const refusalEvent = (event: JsonObject, { secrets }: RefusalOptions): ProviderFailure => {
  const error = objectOr(event.error)
  return refused(statusOf.get(error.type) ?? 500, error, secrets)
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

const MAX_LENGTH = 2000

function refused(status: number, error: JsonObject, secrets: readonly string[], retryAfter?: number): ProviderFailure {
  const told = (value: unknown, otherwise = '') => withoutSecrets(textOr(value, otherwise), secrets)
  const upstreamType = told(error.type)
  return new ProviderFailure({
    type: 'refused',
    status,
    message:
      status === 401 || status === 403
        ? 'The upstream refused the credentials of the gateway.'
        : told(error.message, `The upstream answered with status ${status}.`),
    ...(upstreamType === '' ? {} : { upstreamType }),
    retryAfterSeconds: retryAfter,
  })
}

const withoutSecrets = (told: string, secrets: readonly string[]): string =>
  secrets.reduce((text, secret) => text.replaceAll(secret, '***'), told).slice(0, MAX_LENGTH)
