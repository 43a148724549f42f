/**
 * Checks options that are numbers. A value out of range would be misread later: a timer with too long a time fires
 * immediately.
 *
 * @throws RangeError with the name of the option
 */
export function checkRange(options: Readonly<Record<string, number>>, least: number, most: number): void {
  for (const [name, value] of Object.entries(options)) {
    if (typeof value === 'number' && value >= least && value <= most) continue
    throw new RangeError(`'${name}' must be a number from ${least} to ${most}, not ${value}`)
  }
}
