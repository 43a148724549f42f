/**
 * Checks that numeric options are from `least` to `most`. A timer, for example, treats a delay that is too long as
 * none.
 *
 * @throws RangeError that names the option
 */
export function checkRange(options: Readonly<Record<string, number>>, least: number, most: number): void {
  for (const [name, value] of Object.entries(options)) {
    if (typeof value === 'number' && value >= least && value <= most) continue
    throw new RangeError(`'${name}' must be a number from ${least} to ${most}, not ${value}`)
  }
}
