import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalForm } from './canonical-form.ts'

const exact = fc.jsonValue({ noUnicodeString: false, maxDepth: 4 }).map((value): unknown => exactly(value))

/** Numbers that are not exact have no form. */
function exactly(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? 0 : value
  if (Array.isArray(value)) return value.map(exactly)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, exactly(member)]))
}

/** Returns the same value with its members in another order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, reversed(member)] as const)
      .reverse(),
  )
}

describe('canonicalForm', () => {
  it('writes members in any order the same way', () =>
    fc.assert(
      fc.asyncProperty(exact, async (value) => {
        expect(await canonicalForm(reversed(value))).toBe(await canonicalForm(value))
      }),
    ))

  it('writes JSON of the same value', () =>
    fc.assert(
      fc.asyncProperty(exact, async (value) => {
        expect(JSON.parse((await canonicalForm(value)) ?? '')).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    ))

  it('writes different values in different ways', () =>
    fc.assert(
      fc.asyncProperty(exact, exact, async (one, other) => {
        const areEqual = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
        expect((await canonicalForm(one)) === (await canonicalForm(other))).toBe(areEqual)
      }),
    ))

  it('writes numbers by value, and texts exactly', async () => {
    expect(await canonicalForm(JSON.parse('[1.0, 1e2, -0, 0.10]'))).toBe('[1,100,0,0.1]')
    expect(await canonicalForm({ b: 'é', a: 'e\u0301', absent: undefined })).toBe('{"a":"e\u0301","b":"é"}')
  })

  it.each(['9007199254740993', '1e400', '-9007199254740992'])('returns nothing for the number %s', async (number) => {
    expect(await canonicalForm(JSON.parse(`{"seed":${number}}`))).toBeUndefined()
  })

  it('takes turns for large values', async () => {
    const writing = canonicalForm(Array.from({ length: 50_000 }, (_, index) => index))
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    })
    expect((await writing)?.length).toBe(288_891)
    clearInterval(timer)
    expect(turns).toBeGreaterThan(1)
  })
})

/** Sorts members in a way of its own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value
  const entries = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const)
  // Not a list, which would equal a list of such pairs.
  return { members: entries.sort(([one], [other]) => (one < other ? -1 : 1)) }
}
