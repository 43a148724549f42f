/** The longest that an upstream may ask to be left alone for. */
const MAX_RETRY_AFTER_SECONDS = 86_400

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
    milliseconds === undefined ? Number.NaN : Number(milliseconds) / 1000,
    value === undefined ? Number.NaN : Number(value),
    value?.endsWith('GMT') ? Math.max(0, (Date.parse(value) - now().getTime()) / 1000) : Number.NaN,
  ]
  const seconds = candidates.find((candidate) => candidate >= 0)
  return seconds === undefined ? undefined : Math.min(seconds, MAX_RETRY_AFTER_SECONDS)
}
