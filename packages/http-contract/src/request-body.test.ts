import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MalformedBody, parseBody, parseInTurns } from './request-body.ts'

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

describe('parseInTurns', () => {
  const inTurns = (text: string) => parseInTurns({ kind: 'bytes', bytes: new TextEncoder().encode(text) })
  const filler = 'a'.repeat(2 ** 22 - 40)

  it('parses a large body without `__proto__` keys in any piece of it', async () => {
    for (const key of [
      '__proto__',
      '\\u005f_proto\\u005F_',
      '\\u005f\\u005f\\u0070\\u0072\\u006f\\u0074\\u006f\\u005f\\u005f',
    ]) {
      const value = await inTurns(`{"text":"${filler}","inner":{"${key}":{"admin":true}},"more":"${filler}"}`)
      expect(value).toEqual({ text: filler, inner: {}, more: filler })
    }
  })

  it('refuses a body with more than 4,194,304 backslashes, and accepts as many', async () => {
    const dense = '\\n'.repeat(2 ** 22)
    expect(await inTurns(`"${dense}"`)).toBe('\n'.repeat(2 ** 22))
    await expect(inTurns(`"${dense}\\n"`)).rejects.toThrow('it has more than 4194304 backslashes')
  })

  it('refuses a body with more than 8 MiB outside of its strings', async () => {
    await expect(inTurns(`${' '.repeat(2 ** 23)}{}`)).rejects.toThrow('it has more than 8388608 bytes outside')
  })

  it('refuses a large body that is not JSON', async () => {
    await expect(inTurns(`"${filler}`)).rejects.toThrow(MalformedBody)
  })
})
