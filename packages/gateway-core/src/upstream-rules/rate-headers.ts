type Headers = Readonly<Record<string, string>>

/** The headers of what remains, and of when it is reset, as OpenAI, and vendors that follow it, name them, and Anthropic. */
const pairs: readonly (readonly [remaining: string, reset: string])[] = [
  ...['requests', 'tokens'].map((unit) => [`x-ratelimit-remaining-${unit}`, `x-ratelimit-reset-${unit}`] as const),
  ...['requests', 'tokens', 'input-tokens', 'output-tokens'].map(
    (unit) => [`anthropic-ratelimit-${unit}-remaining`, `anthropic-ratelimit-${unit}-reset`] as const,
  ),
]

/**
 * Returns the milliseconds in which an upstream accepts no further request, as the headers of its answer say. `undefined`
 * where it accepts one now, or does not say it.
 */
export function pauseIn(headers: Headers, now: number): number | undefined {
  let longest: number | undefined
  for (const [remainingName, resetName] of pairs) {
    const remaining = headers[remainingName]
    const reset = remaining === undefined ? undefined : headers[resetName]
    if (reset === undefined || Number(remaining) > 0) continue
    const milliseconds = untilReset(reset, now)
    if (milliseconds !== undefined && milliseconds > (longest ?? 0)) longest = milliseconds
  }
  return longest
}

const LONGEST_TEXT = 40
const DURATION_PART = /([\d.]+)(ms|h|m|s)/y
const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const

/** Reads `6m0s`, `120ms`, seconds, and the time of RFC 3339. */
function untilReset(text: string, now: number): number | undefined {
  if (text.length > LONGEST_TEXT) return undefined
  const seconds = Number(text)
  if (text !== '' && Number.isFinite(seconds)) return seconds * 1000
  const time = Date.parse(text)
  if (text.includes('-') && !Number.isNaN(time)) return time - now
  let milliseconds: number | undefined
  DURATION_PART.lastIndex = 0
  for (let match = DURATION_PART.exec(text); match; match = DURATION_PART.exec(text)) {
    const [, amount = '', unit = 's'] = match
    milliseconds = (milliseconds ?? 0) + Number(amount) * (isUnit(unit) ? unitMs[unit] : 0)
  }
  return milliseconds
}

const isUnit = (text: string): text is keyof typeof unitMs => Object.hasOwn(unitMs, text)
