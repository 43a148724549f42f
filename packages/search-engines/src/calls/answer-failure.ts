import { SearchFailure } from '@trivium/gateway-core/ports'
import { retryAfterSeconds } from '@trivium/provider-kit/answers'
import type { EngineAnswer } from './engine-call.ts'

/** Converts an answer of any engine whose status is not 200 to a failure. Engines check their own statuses first. */
export function answerFailure({ status, headers }: EngineAnswer, now: () => Date): SearchFailure {
  const seconds = retryAfterSeconds(headers, now)
  const pause = seconds === undefined ? {} : { retryAfterSeconds: seconds }
  if (status === 429) {
    return new SearchFailure({
      type: 'rate-limited',
      message: 'The gateway has sent too many requests to the search engine.',
      ...pause,
    })
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

export const invalidAnswer = (): SearchFailure =>
  new SearchFailure({ type: 'unavailable', message: 'The search engine sent an invalid answer.' })
