import type { VolumeSpace } from '../volumes/volume-backend.ts'

/** The space that splits leave available on a volume: bytes, or a part of its size from 0 to 1. */
export type SplitFloor =
  | { readonly kind: 'bytes'; readonly bytes: number }
  | { readonly kind: 'part'; readonly part: number }

export const DEFAULT_SPLIT_FLOOR = '5%'

/**
 * Reads a floor: a whole number of bytes, or a text such as `5%` or `0.5%`.
 *
 * @throws RangeError for a number below 0 or above 2^53 - 1, and more than 100 percent
 * @throws TypeError for another text
 */
export function readSplitFloor(floor: number | string): SplitFloor {
  if (typeof floor === 'number') {
    if (Number.isSafeInteger(floor) && floor >= 0) return { kind: 'bytes', bytes: floor }
    throw new RangeError(`'splitFloor' must be a whole number of bytes from 0 to 2^53 - 1, not ${floor}`)
  }
  const [, percent] = /^(\d{1,3}(?:\.\d{1,6})?)%$/.exec(floor) ?? []
  if (percent === undefined)
    throw new TypeError(`'splitFloor' must be bytes or a percentage such as '5%', not '${floor}'`)
  if (Number(percent) <= 100) return { kind: 'part', part: Number(percent) / 100 }
  throw new RangeError(`'splitFloor' must be at most 100%, not ${floor}`)
}

/** The floor of a volume of that size, in whole bytes. */
export const floorBytes = (floor: SplitFloor, { size }: Pick<VolumeSpace, 'size'>): number =>
  floor.kind === 'bytes' ? floor.bytes : Math.ceil(size * floor.part)
