import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { credentialsOf } from './credentials.ts'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

describe('credentialsOf', () => {
  it('reports no credentials without the header', () => {
    expect(credentialsOf({})).toEqual({ type: 'none' })
  })

  it.each([
    'Bearer tvm_a-b',
    'bearer   tvm_a-b ',
    'BEARER tvm_a-b',
  ])('reads the Bearer token of %j', (authorization) => {
    expect(credentialsOf({ authorization })).toEqual({ type: 'bearer', token: 'tvm_a-b' })
  })

  it('reads a password with special characters as a token', () => {
    expect(credentialsOf({ authorization: 'Bearer p@ss!"$' })).toEqual({
      type: 'bearer',
      token: 'p@ss!"$',
    })
  })

  it('reads any user name and password of Basic', () => {
    const username = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes(':'))
    fc.assert(
      fc.property(username, fc.string({ unit: 'grapheme' }), (username, password) => {
        expect(credentialsOf({ authorization: basic(`${username}:${password}`) })).toEqual({
          type: 'basic',
          username,
          password,
        })
      }),
    )
  })

  it.each([
    ['an empty header', ''],
    ['a scheme alone', 'Bearer'],
    ['another scheme', 'Digest abc'],
    ['two words', 'Bearer a b'],
    ['two tokens that a proxy joined', 'Bearer a, Bearer b'],
    ['a token that is not ASCII', 'Bearer pässword'],
    ['a control character', 'Bearer a\tb'],
    ['Basic that is not base64', 'Basic !!!'],
    ['Basic without a colon', basic('admin')],
    ['Basic that is not UTF-8', `Basic ${btoa('\xff:\xff')}`],
    ['a header of more than 4,096 characters', `Bearer ${'a'.repeat(4096)}`],
    ['several headers', ['Bearer a', 'Bearer b']],
  ])('reports %s as malformed', (_, authorization) => {
    expect(credentialsOf({ authorization })).toEqual({ type: 'malformed' })
  })
})
