import fc from 'fast-check'
import { expect, it } from 'vitest'
import { countTokens, tokensOf } from './tokens.ts'

it('countTokens returns the number of tokens of tokensOf, for any white space', () => {
  const white = Array.from({ length: 2 ** 16 }, (_, code) => String.fromCharCode(code)).filter((one) => /\s/.test(one))
  const text = fc.string({ unit: fc.constantFrom('a', '.', '😀', '\0', '\u0085', '\u180e', '\u200b', ...white) })
  fc.assert(
    fc.property(text, (made) => {
      expect(countTokens(made)).toBe(tokensOf(made).length)
      expect(tokensOf(made).join('')).toBe(made)
    }),
  )
})
