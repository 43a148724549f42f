/** The longest that an upstream may ask to be left alone for. */
const MAX_RETRY_AFTER_SECONDS = 86_400

const numberIn = (value = ''): number => (/^\s*\d/.test(value) ? Number(value) : Number.NaN)

/**
 * How long an upstream asks to be left alone: `retry-after-ms`, then `retry-after` as seconds or as a date.
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
