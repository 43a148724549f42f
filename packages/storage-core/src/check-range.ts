/**
 * Checks options that are numbers: a wrong one would be taken for something else later, as timers take a time that is too
 * long for none.
 *
 * @throws RangeError that names the option
 */
export function checkRange(options: Readonly<Record<string, number>>, least: number, most: number): void {
  for (const [name, value] of Object.entries(options)) {
    if (typeof value === 'number' && value >= least && value <= most) continue
    throw new RangeError(`'${name}' must be a number from ${least} to ${most}, not ${value}`)
  }
}
