import { type ProviderErrorInit, ProviderFailure, parseJson } from '@trivium/gateway-core/ports'
import { retryAfterSeconds } from './retry-after.ts'
import { upstreamFailures } from './upstream-failures.ts'

/** An answer whose status is not good. */
export interface Refusal {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The answer's body, or as much of it as was read. */
  readonly text: string
}

/** Where the upstream's protocol says these of an error. What is no text, or empty, counts as absent. */
export interface RefusalWords {
  readonly message?: unknown
  readonly type?: unknown
  readonly code?: unknown
  readonly param?: unknown
}

/** How an upstream's refusal becomes a failure. */
export interface RefusalOptions {
  /** Kept from the client, even where the upstream repeats them. */
  readonly secrets: readonly string[]
  /** Finds the error in a body. `undefined` stands for a body that is not JSON. */
  readonly wordsIn: (body: unknown) => RefusalWords
  readonly now: () => Date
}

/** What is known beside the words of a refusal. */
export interface RefusedOptions {
  /** Kept from the client. @default none */
  readonly secrets?: readonly string[]
  /** When the upstream wants to be asked again. @default it does not say */
  readonly retryAfterSeconds?: number | undefined
}

/** What an upstream's error answer says. A redirect is one as well: it is not followed. */
export function refusal(
  { status, headers, text }: Refusal,
  { secrets, wordsIn, now }: RefusalOptions,
): ProviderFailure {
  const isRedirect = status >= 300 && status < 400
  return new ProviderFailure(
    isRedirect
      ? upstreamFailures.redirected
      : refused(status, wordsIn(parseJson(text)), { secrets, retryAfterSeconds: retryAfterSeconds(headers, now) }),
  )
}

/** The most characters that a client gets of each of an upstream's own words. */
const MAX_LENGTH = 2000

/** An upstream's refusal in its own words, without its secrets. What it says of its credentials is left out. */
export function refused(
  status: number,
  words: RefusalWords,
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
    retryAfterSeconds,
  }
}
