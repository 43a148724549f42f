import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDollars, formatDollars, MAX_NANODOLLARS, type Nanodollars, parseDollars } from './dollars.ts'

describe('amounts of dollars', () => {
  it.each([
    ['0', 0],
    [0, 0],
    ['12', 12_000_000_000],
    [0.1, 100_000_000],
    ['0.000000001', 1],
    ['1.25', 1_250_000_000],
    ['9007199.254740991', Number.MAX_SAFE_INTEGER],
  ])('reads %j as %d billionths', (text, billionths) => {
    expect(parseDollars(text)).toBe(billionths)
  })

  it.each([
    '',
    '-1',
    '1e3',
    '.5',
    '1.',
    '0x10',
    ' 1',
    '1.0000000001',
    '9007199.254740992',
    Number.NaN,
    1e-10,
    1e21,
  ])('refuses %j', (text) => {
    expect(parseDollars(text)).toBeUndefined()
  })

  it('formats any amount as the text that it reads', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (billionths) => {
        expect(parseDollars(formatDollars(billionths as Nanodollars))).toBe(billionths)
      }),
    )
  })

  it('adds up to the largest amount', () => {
    expect(addDollars(MAX_NANODOLLARS, 1 as Nanodollars)).toBe(MAX_NANODOLLARS)
    expect(formatDollars(2n * BigInt(MAX_NANODOLLARS))).toBe('18014398.509481982')
  })
})
