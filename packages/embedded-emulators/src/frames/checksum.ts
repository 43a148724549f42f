import { byteAt } from './bytes.ts'

/** The unfolded sum of RFC 1071. `sum` is that of the parts before, each of even length. */
export function sumOf(bytes: Uint8Array, sum = 0): number {
  let total = sum
  for (let at = 0; at < bytes.length; at += 2) total += (byteAt(bytes, at) << 8) | byteAt(bytes, at + 1)
  return total
}

/** Folds and complements a sum to the value of a checksum field. The sum over a message with a correct checksum gives 0. */
export function foldSum(sum: number): number {
  let folded = sum
  while (folded > 0xffff) folded = (folded & 0xffff) + Math.floor(folded / 0x10000)
  return ~folded & 0xffff
}

/** The internet checksum of the bytes, whose checksum field is zero. */
export const checksumOf = (bytes: Uint8Array): number => foldSum(sumOf(bytes))
