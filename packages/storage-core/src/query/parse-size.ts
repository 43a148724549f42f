import { MAXIMUM_SIZE, type Size, toSize } from '../sizes/size.ts'

const units: readonly string[] = ['', 'K', 'M', 'G', 'T', 'P']

const SIZE = /^([+-]?\d{1,40})(?:([KMGTP]?)B?)$/i

/**
 * Parses an integer with or without a unit: `40M`, `16TB`, `1024`. Units are powers of 1,024, in upper or lower case.
 *
 * @returns `too-large` above 2^63 - 1 or below its negative
 */
export function parseSize(text: string): Size | 'invalid' | 'too-large' {
  const [, digits, letter = ''] = SIZE.exec(text.trim()) ?? []
  if (digits === undefined) return 'invalid'
  const exponent = units.indexOf(letter.toUpperCase())
  const bytes = BigInt(digits) * 1024n ** BigInt(exponent)
  return bytes > MAXIMUM_SIZE || bytes < -MAXIMUM_SIZE ? 'too-large' : toSize(bytes)
}
