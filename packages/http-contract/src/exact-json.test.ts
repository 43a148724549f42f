import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { encodeMarked, exactJson, jsonInteger, parseExactJson } from './exact-json.ts'

afterEach(() => vi.restoreAllMocks())

/** Values of JSON with bigints, and texts that resemble the marks of the encoder for older runtimes. */
const { value: json } = fc.letrec((tie) => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom('\u{10FFFD}', '1', '"', '\\', ':', 'é', '\n') }),
    fc.constantFrom('\u{10FFFD}12', '\u{10FFFD}\u{10FFFD}12', 'a"\u{10FFFD}1"', '__proto__'),
  )
  const leaf = fc.oneof(
    text,
    fc.integer(),
    fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    fc.boolean(),
    fc.constant(null),
  )
  // V8 of Node 24 confuses a name that is a backslash with one that begins with an escape.
  const name = text.map((one) => one.replaceAll('\\', '/'))
  const large = fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n })
  return {
    value: fc.oneof(
      { maxDepth: 3 },
      leaf,
      large,
      large.map((one) => -one),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }
})

describe('exactJson', () => {
  it('writes bigints with all of their digits, on one line or indented', () => {
    const value = { large: 2n ** 63n - 1n, list: [-1n, 0.5], text: '1n' }
    expect(exactJson(value)).toBe('{"large":9223372036854775807,"list":[-1,0.5],"text":"1n"}')
    expect(exactJson({ large: 2n ** 53n }, 2)).toBe('{\n  "large": 9007199254740992\n}')
  })

  it('writes the same as `JSON.stringify` without bigints', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(exactJson(value, 2)).toBe(JSON.stringify(value, undefined, 2))
        expect(encodeMarked(value)).toBe(JSON.stringify(value))
      }),
    )
  })

  it('writes the same in a runtime without `JSON.rawJSON`', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 2), (value, indent) => {
        expect(encodeMarked(value, indent)).toBe(exactJson(value, indent))
      }),
      { numRuns: 1000 },
    )
  })

  it('writes the digits of `jsonInteger`', () => {
    expect(exactJson([jsonInteger(2n ** 63n - 1n), jsonInteger(-1n)])).toBe('[9223372036854775807,-1]')
  })

  it('throws for a cycle', () => {
    const cycle: { self?: unknown; size: bigint } = { size: 2n ** 60n }
    cycle.self = cycle
    expect(() => exactJson(cycle)).toThrow(TypeError)
  })
})

describe('parseExactJson', () => {
  it.each<[string, unknown]>([
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740993', -9007199254740993n],
    ['9223372036854775807', 2n ** 63n - 1n],
    ['9007199254740993.0', 9007199254740993n],
    ['1e18', 10n ** 18n],
    ['9.007199254740993E+15', 9007199254740993n],
    ['90071992547409930e-1', 9007199254740993n],
    ['1e3', 1000],
    ['0.12345678901234567890', 0.12345678901234568],
    ['9007199254740993.5', 9007199254740994],
    ['1e400', 10n ** 400n],
    ['1e1001', Number.POSITIVE_INFINITY],
    ['9'.repeat(1001), Number.POSITIVE_INFINITY],
    ['"9007199254740993"', '9007199254740993'],
  ])('reads %s', (text, value) => {
    expect(parseExactJson(text)).toStrictEqual(value)
    expect(parseExactJson(`{"a": [${text}]}`)).toStrictEqual({ a: [value] })
  })

  it('reads what `exactJson` writes', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = exactJson(value)
        expect(exactJson(parseExactJson(text))).toBe(text)
      }),
      { numRuns: 1000 },
    )
  })

  it('rounds in a runtime that gives revivers no source', () => {
    const parse = JSON.parse
    vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) =>
      parse(text, reviver && ((key, value) => reviver.call(undefined, key, value))),
    )
    expect(parseExactJson('[9007199254740993, 1]')).toEqual([9007199254740992, 1])
  })
})
