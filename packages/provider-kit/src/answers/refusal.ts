import { isObject, type ProviderErrorInit, ProviderFailure, parseJson } from '@trivium/gateway-core/ports'
import type { JsonObject } from './json.ts'
import { retryAfterSeconds } from './retry-after.ts'
import { upstreamFailures } from './upstream-failures.ts'

/** An answer whose status is not 200 to 299. */
export interface Refusal {
  /** From 300 on. */
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body of the answer, or the part of it that was read. */
  readonly text: string
}

/**
 * The fields of an upstream's error. A value that is not a string, or is empty, counts as absent. Each is cut after
 * 2,000 characters, and secrets in it become `***`.
 */
export interface ErrorFields {
  /** Replaced for 401 and 403, which are about the gateway's credentials. @default a message with the status */
  readonly message?: unknown
  /** The kind of error in the upstream's own words, such as `invalid_request_error`. */
  readonly type?: unknown
  /** The upstream's own code, such as `model_not_found`. */
  readonly code?: unknown
  /** The parameter of the request that caused the error. */
  readonly param?: unknown
  /**
   * What Anthropic's clients read of `error.details`. An object of at most 2,000 characters as JSON, without secrets.
   * Others count as absent.
   */
  readonly details?: unknown
}

/** Options of {@link refusal}. */
export interface RefusalOptions {
  /** Texts that are removed from the upstream's message, type, code and parameter. */
  readonly secrets: readonly string[]
  /** Finds the error in a parsed body. The body is `undefined` if it is not JSON. */
  readonly errorIn: (body: unknown) => ErrorFields
  /** Returns the current time, for a `retry-after` that is a date. */
  readonly now: () => Date
}

/** Options of {@link refused}. */
export interface RefusedOptions {
  /** Texts that are removed from the words of the upstream. @default none */
  readonly secrets?: readonly string[]
  /** Seconds after which the upstream accepts requests again. @default unknown */
  readonly retryAfterSeconds?: number | undefined
}

/** Converts an upstream's error answer to a failure. A redirect is `malformed`, because it is not followed. */
export function refusal(
  { status, headers, text }: Refusal,
  { secrets, errorIn, now }: RefusalOptions,
): ProviderFailure {
  const isRedirect = status >= 300 && status < 400
  return new ProviderFailure(
    isRedirect
      ? upstreamFailures.redirected
      : refused(status, errorIn(parseJson(text)), { secrets, retryAfterSeconds: retryAfterSeconds(headers, now) }),
  )
}

/** The most characters of each text of an upstream that a client gets. */
const MAX_LENGTH = 2000

/**
 * Builds the failure for an upstream's refusal, with the upstream's own message but without secrets. The message of a
 * 401 or 403 is replaced.
 */
export function refused(
  status: number,
  words: ErrorFields,
  { secrets = [], retryAfterSeconds }: RefusedOptions = {},
): ProviderErrorInit {
  const shown = (value: unknown): string | undefined =>
    typeof value === 'string' && value !== ''
      ? secrets
          .reduce((text, secret) => text.replaceAll(secret, '***'), value)
          .slice(0, MAX_LENGTH)
          .toWellFormed()
      : undefined
  const upstreamType = shown(words.type)
  const code = shown(words.code)
  const param = shown(words.param)
  const details = detailsOf(words.details, secrets)
  return {
    type: 'refused',
    status,
    message:
      status === 401 || status === 403
        ? 'The upstream refused the credentials of the gateway.'
        : (shown(words.message) ?? `The upstream answered with status ${status}.`),
    ...(upstreamType === undefined ? {} : { upstreamType }),
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
    ...(details === undefined ? {} : { details }),
    retryAfterSeconds,
  }
}

function detailsOf(value: unknown, secrets: readonly string[]): JsonObject | undefined {
  if (!isObject(value)) return undefined
  const text = JSON.stringify(value)
  return text.length > MAX_LENGTH || secrets.some((secret) => text.includes(secret)) ? undefined : value
}
