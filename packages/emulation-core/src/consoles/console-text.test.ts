import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createConsoleText } from './console-text.ts'

/** Returns the ended lines, and the last line. */
function textOf(chunks: readonly Uint8Array[]) {
  let lines = ''
  const text = createConsoleText((line, hasEnded) => {
    lines += hasEnded ? `${line}\n` : line
  })
  for (const chunk of chunks) text.push(chunk)
  return { lines, last: text.line, lineEnds: text.lineEnds }
}

const bytes = (value: string) => new TextEncoder().encode(value)
const shown = (value: string) => {
  const { lines, last } = textOf([bytes(value)])
  return `${lines}${last}`
}

/** Cuts bytes at the places. */
function cut(whole: Uint8Array, places: readonly number[]) {
  const ends = [...new Set(places.map((place) => place % (whole.length + 1)))].sort((a, b) => a - b)
  return [...ends, whole.length].map((end, index) => whole.subarray(index === 0 ? 0 : ends[index - 1], end))
}

describe('createConsoleText', () => {
  it('gives the same text for any pieces of the same bytes', () => {
    const part = fc.oneof(
      fc.constantFrom(
        '\r\n',
        '\n',
        '\r',
        '\b',
        '\t',
        'ä€𝄞',
        'PC1> ',
        '--More--',
        '\x1b[K',
        '\x1b[2K',
        '\x1b[3D',
        '\x1b[1;31m',
      ),
      fc.constantFrom(
        '\x1b]0;title\x07',
        '\x1b]0;title\x1b\\',
        '\x1b(B',
        '\x1b[',
        '\x1b',
        '\x1b[9999C',
        '\x1b[2P',
        '\x1b[2G',
      ),
      fc.string(),
    )
    const output = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.array(part, { maxLength: 40 }).map((parts) => bytes(parts.join(''))),
    )
    fc.assert(
      fc.property(output, fc.array(fc.nat(400)), (whole, places) => {
        expect(textOf(cut(whole, places))).toEqual(textOf([whole]))
      }),
    )
  })

  it.each([
    ['colours, titles and character sets', '\x1b]0;title\x07\x1b[1;31mred\x1b[0m \x1b(Bplain', 'red plain'],
    ['control characters but tabs', 'a\0\x07\tb\x7f\u009b', 'a\tb'],
    ['what a line overwrites', '10 %\r100 %', '100 %'],
    ['what backspaces erase', 'pign\b\b\bing', 'ping'],
    ['what a sequence erases', 'ping 1\x1b[D2\r\x1b[4C\x1b[K!', 'ping!'],
    ['a line that is erased', 'abc\x1b[2K\rd', 'd'],
    ['deleted characters', 'abcdef\x1b[3G\x1b[2P', 'abef'],
    ['spaces at the end of a line', 'a  \r\nb  ', 'a\nb'],
    ['a sequence that a line end interrupts', 'a\x1b]0;title\nb', 'a\nb'],
    ['bytes before the first column', '\b\ba', 'a'],
  ])('leaves out %s', (_, output, expected) => {
    expect(shown(output)).toBe(expected)
  })

  it('replaces bytes that are not UTF-8', () => {
    expect(textOf([Uint8Array.of(97, 0xff, 98)]).last).toBe('a\ufffdb')
  })

  it('keeps all of a line of any length', () => {
    const long = 'x'.repeat(50_000)
    expect(shown(`${long}\r\nend`)).toBe(`${long}\nend`)
  })

  it('bounds the columns that a sequence adds', () => {
    expect(shown('\x1b[99999Cx\n')).toBe(`${' '.repeat(131)}x\n`)
  })
})
