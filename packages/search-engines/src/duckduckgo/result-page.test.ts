import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainText } from '../reading/plain-text.ts'
import { resultPage } from './result-page.ts'

/** Pieces that slow parsers down when they are repeated thousands of times. */
const hostile = [
  '<div>',
  '<div class="result"><h2><a href="https://e.com">',
  '<a class="result__snippet">',
  '<textarea>',
  '<!--',
  '<',
  '<a href="',
  '<svg><p>',
  '<form><input name=a value=b>',
  '</div>',
  '&',
  '<b><p></b>',
  '<tr><td class="result-snippet">',
]

describe('resultPage and plainText', () => {
  it.each(hostile)('parse a hostile page in linear time: %s', (piece) => {
    const page = piece.repeat(Math.floor(2 ** 20 / piece.length))
    const { results, forms } = resultPage(page)
    expect(results.length).toBeLessThanOrEqual(200)
    expect(forms.length).toBeLessThanOrEqual(20)
    expect(plainText(page).length).toBeLessThanOrEqual(2000)
  })

  it('parse any page without an error', () => {
    const piece = fc.oneof(
      fc.constantFrom(...hostile),
      fc.string(),
      fc.constantFrom('</a>', '</h2>', '</form>', 'x', ' class='),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const { results } = resultPage(pieces.join(''))
        for (const { title, body } of results) expect(`${title}${body}`).not.toMatch(/\n/)
      }),
    )
  })

  it('remove any markup', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(plainText(`a <b class="${text.replaceAll('"', '')}">b</b> c`)).toBe('a b c')
      }),
    )
    expect(plainText('1 &lt; 2 <script>x</script><style>y</style>&amp;&nbsp;3<br>4')).toBe('1 < 2 & 3 4')
  })
})
