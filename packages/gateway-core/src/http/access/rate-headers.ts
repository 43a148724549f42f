import type { RateState } from '../../rate-limits/rate-limiter.ts'

/** Adds the state of a rate limit in the headers of one family. */
export type AddRateHeaders = (headers: Record<string, string>, rate: RateState, now: Date) => void

/** Adds the plain headers with the time of the reset, and OpenAI's with the duration until then. */
export const addRateHeaders: AddRateHeaders = (headers, rate, now) => {
  const limit = String(rate.limit)
  const remaining = String(rate.remaining)
  addPlain(headers, limit, remaining, rate.resetAt.toISOString())
  headers['x-ratelimit-limit-requests'] = limit
  headers['x-ratelimit-remaining-requests'] = remaining
  headers['x-ratelimit-reset-requests'] = duration(rate.resetAt.getTime() - now.getTime())
}

/** Adds the plain headers, and those that Anthropic's clients read. */
export const addAnthropicRateHeaders: AddRateHeaders = (headers, rate) => {
  const limit = String(rate.limit)
  const remaining = String(rate.remaining)
  const reset = rate.resetAt.toISOString()
  addPlain(headers, limit, remaining, reset)
  headers['anthropic-ratelimit-requests-limit'] = limit
  headers['anthropic-ratelimit-requests-remaining'] = remaining
  headers['anthropic-ratelimit-requests-reset'] = reset
}

function addPlain(headers: Record<string, string>, limit: string, remaining: string, reset: string): void {
  headers['x-ratelimit-limit'] = limit
  headers['x-ratelimit-remaining'] = remaining
  headers['x-ratelimit-reset'] = reset
}

/** Formats a duration like OpenAI: `12ms`, `59.5s`, `1m0s`. */
function duration(milliseconds: number): string {
  const left = Math.max(0, milliseconds)
  if (left < 1000) return `${left}ms`
  if (left < 60_000) return `${left / 1000}s`
  return `${Math.floor(left / 60_000)}m${(left % 60_000) / 1000}s`
}
