import { CLOCK_SKEW_MS } from '@trivium/gateway-core/ports'
import type { RateLimitRow } from './gateway-tables.ts'

/** Digits of a time in a ring, enough for every year of four digits. */
export const TIME_WIDTH = 15

/** Encodes a time with a fixed width, so that any database finds an index of a ring by its position in the text. */
export function encodeTime(milliseconds: number): string {
  return String(milliseconds).padStart(TIME_WIDTH, '0')
}

export const sizeOf = (ring: string): number => ring.length / TIME_WIDTH

export const timeAt = (ring: string, index: number): number =>
  Number(ring.slice(index * TIME_WIDTH, (index + 1) * TIME_WIDTH))

/** Milliseconds by which a ring is ahead of a clock. 0 where the clock is not late. */
export function shiftOf({ ring, shift }: Pick<RateLimitRow, 'ring' | 'shift'>, now: number): number {
  const late = ring === '' ? 0 : timeAt(ring, sizeOf(ring) - 1) - now
  return late > CLOCK_SKEW_MS ? Math.max(shift, late) : 0
}

/**
 * The index of the first time in the ring after `time`, or the ring's size where all are older. Times never decrease.
 */
export function firstAfter(ring: string, time: number): number {
  let first = 0
  for (let end = sizeOf(ring); first < end; ) {
    const middle = (first + end) >>> 1
    if (timeAt(ring, middle) > time) end = middle
    else first = middle + 1
  }
  return first
}
