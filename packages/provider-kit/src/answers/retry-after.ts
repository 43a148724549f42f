/** The most seconds that are taken from an upstream. */
const MAX_RETRY_AFTER_SECONDS = 86_400

const numberIn = (value = ''): number => (/^\s*\d/.test(value) ? Number(value) : Number.NaN)

/**
 * Reads the seconds until an upstream accepts requests again, at most a day: from `retry-after-ms`, then from
 * `retry-after` as seconds or as a date. `undefined` if no header has them.
 *
 * @param headers names in lower case
 */
export function retryAfterSeconds(
  headers: Readonly<Record<string, string | undefined>>,
  now: () => Date,
): number | undefined {
  const milliseconds = headers['retry-after-ms']
  const value = headers['retry-after']
  const candidates = [
    numberIn(milliseconds) / 1000,
    numberIn(value),
    value?.endsWith('GMT') ? Math.max(0, (Date.parse(value) - now().getTime()) / 1000) : Number.NaN,
  ]
  const seconds = candidates.find((candidate) => candidate >= 0)
  return seconds === undefined ? undefined : Math.min(seconds, MAX_RETRY_AFTER_SECONDS)
}
