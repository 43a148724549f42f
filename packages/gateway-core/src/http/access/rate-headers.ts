import type { RateState } from '../../rate-limits/rate-limiter.ts'

/** Adds both families of headers: the plain one with the time of the reset, and OpenAI's with the duration until then. */
export function addRateHeaders(headers: Record<string, string>, rate: RateState, now: Date): void {
  const limit = String(rate.limit)
  const remaining = String(rate.remaining)
  headers['x-ratelimit-limit'] = limit
  headers['x-ratelimit-remaining'] = remaining
  headers['x-ratelimit-reset'] = rate.resetAt.toISOString()
  headers['x-ratelimit-limit-requests'] = limit
  headers['x-ratelimit-remaining-requests'] = remaining
  headers['x-ratelimit-reset-requests'] = duration(rate.resetAt.getTime() - now.getTime())
}

/** Adds the headers that Anthropic's clients read. */
export function addAnthropicRateHeaders(
  headers: Record<string, string>,
  { limit, remaining, resetAt }: RateState,
): void {
  headers['anthropic-ratelimit-requests-limit'] = String(limit)
  headers['anthropic-ratelimit-requests-remaining'] = String(remaining)
  headers['anthropic-ratelimit-requests-reset'] = resetAt.toISOString()
}

/** Formats a duration like OpenAI: `12ms`, `59.5s`, `1m0s`. */
function duration(milliseconds: number): string {
  const left = Math.max(0, milliseconds)
  if (left < 1000) return `${left}ms`
  if (left < 60_000) return `${left / 1000}s`
  return `${Math.floor(left / 60_000)}m${(left % 60_000) / 1000}s`
}
