import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { valuesIn } from './json-values-in.ts'

/** Counts as `valuesIn` documents. */
function count(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  const members = Object.values(value)
  return members.length === 0 ? 2 : members.reduce<number>((sum, one) => sum + count(one), 1)
}

describe('valuesIn', () => {
  it('counts the values of a JSON text, regardless of what its strings contain', () => {
    const string = fc.string({ unit: fc.constantFrom('"', '\\', '[', ',', '{', 'a', '\n', '\u00e9'), maxLength: 60 })
    const repeated = fc.tuple(string, fc.integer({ min: 1, max: 300 })).map(([text, times]) => text.repeat(times))
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, repeated, fc.integer(), tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 5 }),
      object: fc.dictionary(string, tie('value'), { maxKeys: 5, noNullPrototype: true }),
    }))
    fc.assert(
      fc.property(value, (one) => {
        expect(valuesIn(JSON.stringify(one), Number.POSITIVE_INFINITY)).toBe(count(one))
      }),
      { numRuns: 500 },
    )
  })

  it.each(['"', '"a', '"\\', '"\\"', '["', `"${'\\"'.repeat(9000)}`])('accepts the unfinished text %s', (text) => {
    expect(valuesIn(text, 9)).toBeLessThan(3)
  })

  it('stops beyond the most values', () => {
    expect(valuesIn('[1,2,3,4,5,6,7,8,9]', 3)).toBe(4)
  })
})
