/**
 * A number of bytes or of files, from 0 to 2^63 - 1. It is a bigint only above 2^53 - 1, so that equal sizes are
 * identical. `<` and `>` compare both exactly.
 */
export type Size = number | bigint

/** The largest size: that of a signed integer of 64 bits. */
export const MAXIMUM_SIZE = 2n ** 63n - 1n

/** Whether a value is a size. A number above 2^53 - 1 is not, because it may be rounded. */
export const isSize = (value: Size): boolean =>
  typeof value === 'number' ? Number.isSafeInteger(value) && value >= 0 : value >= 0n && value <= MAXIMUM_SIZE

/** Returns an integer as a number where that is exact, else as a bigint. */
export function toSize(value: Size): Size {
  if (typeof value === 'number') return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** Parses decimal digits, with an optional sign. Never rounds. */
export const sizeOf = (digits: string): Size => toSize(BigInt(digits))
