/** The most seconds of a timer. One with a longer delay fires immediately. */
export const MAX_TIMER_SECONDS = 2_147_483

/** The most seconds from or before now that are still a valid date. */
export const MAX_SECONDS = 1_000_000_000

/**
 * Checks options that are numbers. A wrong one would change its meaning later: a timer treats a time that is too long as 0.
 *
 * @throws RangeError with the name of the option
 */
export function checkRange(options: Readonly<Record<string, number>>, least: number, most: number): void {
  for (const [name, value] of Object.entries(options)) {
    if (typeof value === 'number' && value >= least && value <= most) continue
    throw new RangeError(`'${name}' must be a number from ${least} to ${most}, not ${value}`)
  }
}
