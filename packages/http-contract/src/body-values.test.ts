import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { excessOf, MOST_OUTSIDE } from './body-values.ts'

const encode = (text: string) => new TextEncoder().encode(text)

const hasMoreValues = (bytes: Uint8Array, most: number) => excessOf(bytes, most) === 'values'

const membersOf = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : []

/** Counts every value, the outermost included; an empty list or object counts twice. */
function count(value: unknown): number {
  const members = membersOf(value)
  if (members.length === 0) return typeof value === 'object' && value !== null ? 2 : 1
  return members.reduce<number>((sum, one) => sum + count(one), 1)
}

describe('excessOf', () => {
  it.each([
    [64, 16_384, undefined],
    [65, 16_384, 'long names'],
    [1, 2 ** 21 - 1, undefined],
    [1, 2 ** 21, 'long names'],
  ])('counts long names of members, not long texts: %i of %i bytes', (names, length, excess) => {
    const long = 'n'.repeat(length)
    const body = {
      texts: Array.from({ length: 9 }, () => long.repeat(9)),
      names: Array.from({ length: names }, () => ({ [long]: 1 })),
    }
    expect(excessOf(encode(JSON.stringify(body, undefined, 1).replaceAll(':', ' \n:')), 10_000)).toBe(excess)
  })

  it('counts the values of a JSON text, regardless of what its strings contain', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }), fc.nat(3), (value, indent) => {
        const bytes = encode(JSON.stringify(value, undefined, indent))
        const values = count(value)
        expect([hasMoreValues(bytes, values), hasMoreValues(bytes, values - 1)]).toEqual([false, values > 1])
      }),
    )
  })

  it.each([
    [30_000, undefined],
    [30_001, 'members'],
  ])('counts the members of all objects: %i', (members, excess) => {
    const body = Array.from({ length: members }, (_, index) => ({ [`a:${index}`]: ':' }))
    expect(excessOf(encode(JSON.stringify(body)), 100_000)).toBe(excess)
  })

  it('ignores the content of strings, with any number of backslashes', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('\\', '"', ',', '[', '{', 'a'.repeat(5000)), { maxLength: 40 }), (parts) => {
        const bytes = encode(JSON.stringify([parts.join(''), parts.join('')]))
        expect([hasMoreValues(bytes, 3), hasMoreValues(bytes, 2)]).toEqual([false, true])
      }),
    )
  })

  it.each([
    '"',
    '"\\',
    `"${'\\"'.repeat(5000)}`,
    '[',
    '[[[[[[',
    '"a',
    '\\',
  ])('returns false for the incomplete text %j', (text) => {
    expect(hasMoreValues(encode(text), 10_000)).toBe(false)
  })

  it('accepts 8 MiB outside of strings, and any number of bytes in strings', () => {
    const text = ' '.repeat(MOST_OUTSIDE - 1)
    expect(excessOf(encode(`${text}0`), 10)).toBeUndefined()
    expect(excessOf(encode(`${text}10`), 10)).toBe('bytes outside of strings')
    expect(excessOf(encode(`"${text}10"`), 10)).toBeUndefined()
  })
})
