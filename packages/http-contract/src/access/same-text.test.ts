import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { sameText } from './same-text.ts'

it('sameText returns whether two texts are equal', () => {
  const text = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(
      text,
      text,
      (one, other) =>
        sameText(one, one) &&
        sameText(one, other) === (one === other) &&
        !sameText(`${one}x`, one) &&
        sameText(one, one + other) === (other === ''),
    ),
  )
})

it('sameText reads the same number of characters regardless of the expected text and of the first difference', () => {
  const read = vi.spyOn(String.prototype, 'charCodeAt')
  const readsOf = (given: string, expected: string): number => {
    read.mockClear()
    sameText(given, expected)
    return read.mock.calls.length
  }
  const given = 'a'.repeat(40)
  const expected = [given, `b${given.slice(1)}`, `${given.slice(1)}b`, 'a', given.repeat(9), '', 'ü'.repeat(40)]
  const reads = expected.map((text) => readsOf(given, text))
  read.mockRestore()
  expect(new Set(reads)).toEqual(new Set([80]))
})
