import { SearchFailure } from '@trivium/gateway-core/ports'
import type { Answer } from './ask.ts'

/** What a status that is not 200 says of any engine; an engine looks for its own signs first. */
export function answerFailure({ status, headers }: Answer, now: () => Date): SearchFailure {
  const pause = retryAfter(headers['retry-after'], now)
  if (status === 429) {
    return new SearchFailure({ type: 'rate-limited', message: 'The search engine was asked too often.', ...pause })
  }
  if (status === 401 || status === 403) {
    return new SearchFailure({ type: 'misconfigured', message: 'The search engine refuses this gateway.' })
  }
  const message =
    status >= 300 && status < 400
      ? 'The search engine answered with a redirect, which is not followed.'
      : `The search engine answered with status ${status}.`
  return new SearchFailure({ type: 'unavailable', message, ...pause })
}

/** The longest that an engine may ask to be left alone for. */
const MAX_RETRY_AFTER_SECONDS = 86_400

export function retryAfter(
  header: string | readonly string[] | undefined,
  now: () => Date,
): { readonly retryAfterSeconds?: number } {
  const value = typeof header === 'string' ? header : header?.[0]
  if (value === undefined) return {}
  const date = value.endsWith('GMT') ? Math.max(0, (Date.parse(value) - now().getTime()) / 1000) : Number.NaN
  const seconds = [Number(value), date].find((candidate) => candidate >= 0)
  return seconds === undefined ? {} : { retryAfterSeconds: Math.min(seconds, MAX_RETRY_AFTER_SECONDS) }
}

export const senseless = (): SearchFailure =>
  new SearchFailure({ type: 'unavailable', message: 'The search engine answered with something that makes no sense.' })
