/** After this many failed tries a delivery is dead. */
export const MAXIMUM_TRIES = 12
/** The longest wait before a retry: 6 hours. */
export const LONGEST_WAIT_MS = 6 * 3_600_000
const FIRST_WAIT_MS = 5000
const GROWTH = 2.5

/**
 * Returns the wait after a number of failed tries, in milliseconds: from half of it to all of 5 seconds, 2.5 times as
 * long after each further one, at most 6 hours. A longer `retryAfterMs` of the receiver replaces it, up to 6 hours.
 */
export function retryDelay(failedTries: number, random: number, retryAfterMs = 0): number {
  const longest = Math.min(FIRST_WAIT_MS * GROWTH ** (failedTries - 1), LONGEST_WAIT_MS)
  return Math.min(Math.max(longest * (0.5 + random / 2), retryAfterMs), LONGEST_WAIT_MS)
}

/** Parses `Retry-After`, seconds or a date, to milliseconds from now. */
export function parseRetryAfter(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime())
}
