import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withoutLongStrings } from './long-strings.ts'

const SHORT = { long: 6, piece: 16 }
const encoder = new TextEncoder()

async function parsedIn(text: string, lengths = SHORT): Promise<unknown> {
  const short = await withoutLongStrings(encoder.encode(text), lengths)
  return short.restore(JSON.parse(short.text))
}

/** Writes any of the characters of a string as an escape. */
const escaped = (text: string, isEscaped: (index: number) => boolean) =>
  Array.from({ length: text.length }, (_, index) => text.charAt(index))
    .map((unit, index) => (isEscaped(index) ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}` : unit))
    .join('')

describe('withoutLongStrings', () => {
  it('leaves a text whose value is the same once the long strings are restored', async () => {
    const unit = fc.constantFrom(
      'a',
      '"',
      '\\',
      '\n',
      '\u00e9',
      '\u4e00',
      '\u{1f600}',
      '\ud800',
      '\udc00',
      '\ufeff',
      '/',
    )
    const string = fc.string({ unit, maxLength: 60 })
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, string, fc.integer(), fc.constant(null), tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 5 }),
      object: fc.dictionary(string, tie('value'), { maxKeys: 5, noNullPrototype: true }),
    }))
    await fc.assert(
      fc.asyncProperty(value, fc.integer({ min: 12, max: 40 }), async (value, piece) => {
        const text = JSON.stringify(value, undefined, 1)
        expect(await parsedIn(text, { long: 6, piece })).toEqual(JSON.parse(text))
      }),
      { numRuns: 500 },
    )
  })

  it('divides no character and no escape', async () => {
    const unit = fc.constantFrom('a', 'u', '0', '\u00e9', '\u4e00', '\u{1f600}')
    await fc.assert(
      fc.asyncProperty(fc.string({ unit, maxLength: 80 }), fc.infiniteStream(fc.boolean()), async (string, stream) => {
        const units = [...stream.take(string.length)]
        // Both halves of a character are escaped, or none is.
        const isEscaped = (index: number) =>
          (units[/[\udc00-\udfff]/.test(string.charAt(index)) ? index - 1 : index] ?? false) === true
        expect(await parsedIn(`["${escaped(string, isEscaped)}"]`)).toEqual([string])
      }),
      { numRuns: 500 },
    )
  })

  it('restores a long string that is the whole text, has white space around it, or follows a byte order mark', async () => {
    const long = 'a long string'.repeat(9)
    for (const text of [`"${long}"`, ` "${long}"\n`, `\ufeff"${long}"`]) expect(await parsedIn(text)).toBe(long)
  })

  it.each([
    ['an unescaped control character', '["a string\nof two lines"]'],
    ['an escape that does not exist', '["a long string\\x of more"]'],
    ['an escape that is cut', '["a long string\\u12 of more"]'],
    ['no end', '["a long string of more'],
    ['a quote that is escaped as its end', '["a long string of more\\"]'],
  ])('refuses a long string with %s', async (_, text) => {
    await expect(parsedIn(text)).rejects.toThrow(SyntaxError)
  })

  it.each([
    ['many bytes within a character', Uint8Array.from({ length: 100 }, () => 0x80)],
    ['a character without its end', Uint8Array.from({ length: 100 }, () => 0xe4)],
  ])('refuses a long string with %s', async (_, inner) => {
    const text = Uint8Array.from([0x22, ...inner, 0x22])
    await expect(withoutLongStrings(text, SHORT)).rejects.toThrow(TypeError)
  })

  it('leaves the text short', async () => {
    const { text } = await withoutLongStrings(encoder.encode(`{"a":"${'b'.repeat(2 ** 20)}","c":["d"]}`))
    expect(text.length).toBeLessThan(100)
  })
})
