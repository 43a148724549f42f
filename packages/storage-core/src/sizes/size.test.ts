import { describe, expect, it } from 'vitest'
import { isSize, MAXIMUM_SIZE, sizeOf, toSize } from './size.ts'

describe('toSize', () => {
  it('returns a number up to 2^53 - 1 and a bigint above', () => {
    expect(sizeOf('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER)
    expect(sizeOf('9007199254740992')).toBe(2n ** 53n)
    expect(sizeOf('-1')).toBe(-1)
    expect(toSize(7n)).toBe(7)
    expect(toSize(MAXIMUM_SIZE)).toBe(9223372036854775807n)
  })

  it('leaves the bounds to `isSize`, which refuses a number that may be rounded', () => {
    for (const value of [0, Number.MAX_SAFE_INTEGER, 2n ** 53n, MAXIMUM_SIZE]) expect(isSize(value)).toBe(true)
    for (const value of [-1, 1.5, 2 ** 53, Number.NaN, -1n, MAXIMUM_SIZE + 1n]) expect(isSize(value)).toBe(false)
  })
})
