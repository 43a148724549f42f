import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MalformedBody, parseBody } from './request-body.ts'

const parse = (text: string) => parseBody({ kind: 'bytes', bytes: new TextEncoder().encode(text) })

const hasPrototypeKey = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPrototypeKey))

describe('parseBody', () => {
  it('returns undefined for no body, an empty one, or white space', () => {
    expect([parseBody({ kind: 'none' }), parse(''), parse(' \r\n\t')]).toEqual([undefined, undefined, undefined])
  })

  it('returns the value that the host has parsed', () => {
    const value = { a: 1 }
    expect(parseBody({ kind: 'parsed', value })).toBe(value)
  })

  it('parses JSON without `__proto__` keys, escaped ones included', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, escaped) => {
        const text = JSON.stringify({ value, before: 1, inner: { dangerous: { admin: true } }, after: [2] })
        const poisoned = text.replaceAll('dangerous', escaped ? '\\u005f_proto\\u005F_' : '__proto__')
        const parsed = parse(poisoned)
        expect(hasPrototypeKey(parsed)).toBe(false)
        expect(parsed).toMatchObject({ before: 1, inner: {}, after: [2] })
      }),
    )
  })

  it.each(['{', '{"a":1}x', "{'a':1}", 'undefined', '[1,]'])('refuses the body %s', (text) => {
    expect(() => parse(text)).toThrow(MalformedBody)
  })

  it('refuses a body that is not UTF-8', () => {
    expect(() => parseBody({ kind: 'bytes', bytes: new Uint8Array([0x22, 0xff, 0x22]) })).toThrow(MalformedBody)
  })

  it('ignores a byte order mark', () => {
    expect(parse('\u{feff}{"a":1}')).toEqual({ a: 1 })
  })
})
