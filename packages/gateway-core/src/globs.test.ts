import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileGlob, compileGlobs } from './globs.ts'

/** The plain meaning of a pattern. */
const expression = (pattern: string) =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replace(/[^a-z]/g, '\\$&'))
      .join('.*')}$`,
    's',
  )

describe('globs', () => {
  it.each([
    ['openai/*', 'openai/gpt-5', true],
    ['openai/*', 'openai/', true],
    ['openai/*', 'OpenAI/gpt-5', false],
    ['*', '', true],
    ['gpt-5', 'gpt-5', true],
    ['gpt-5', 'gpt-5-mini', false],
    ['ab*ba', 'aba', false],
    ['*-mini', 'gpt-5-mini', true],
    ['a.c', 'abc', false],
    ['a***c', 'abc', true],
    ['***', '', true],
  ])('matches %j with %j: %j', (pattern, text, expected) => {
    expect(compileGlob(pattern)(text)).toBe(expected)
  })

  it('matches as the regular expression does in which a star is any text', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', 'b', '*', '/', '.'), maxLength: 8 })
    fc.assert(
      fc.property(piece, piece, (pattern, other) => {
        const text = other.replaceAll('*', 'a')
        expect(compileGlob(pattern)(text)).toBe(expression(pattern).test(text))
      }),
      { numRuns: 2000 },
    )
  })

  it('finds long parts in long texts as the regular expression does', () => {
    const piece = (minLength: number, maxLength: number) =>
      fc.string({ unit: fc.constantFrom('a', 'a', 'a', 'b'), minLength, maxLength })
    fc.assert(
      fc.property(piece(20, 60), piece(300, 500), (part, text) => {
        const pattern = `*${part}*b`
        expect(compileGlob(pattern)(text)).toBe(expression(pattern).test(text))
        expect(compileGlob(pattern)(`${text}${part}b`)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('matches any of several patterns', () => {
    const matches = compileGlobs(['openai/*', 'exact', '*-mini'])
    expect(['openai/x', 'exact', 'a-mini', 'exactly', 'other'].map(matches)).toEqual([true, true, true, false, false])
    expect(compileGlobs(['x', '**'])('any')).toBe(true)
    expect(compileGlobs([])('any')).toBe(false)
  })
})
