import { describe, expect, it } from 'vitest'
import type { RequestHeaders } from '../exchange.ts'
import { adminCheck, adminRefusal } from './admin.ts'
import type { RefusalReason } from './refusal.ts'

describe('adminCheck', () => {
  it.each([
    [{ username: 'admin', password: 'secret' }, true],
    [{ password: 'secret' }, true],
    [{ username: 'admin', password: 'Secret' }, false],
    [{ username: 'admin', password: '' }, false],
    [{ username: 'root', password: 'secret' }, false],
    [{ username: '', password: 'secret' }, false],
    [{ password: 'secretsecret' }, false],
  ])('returns for %j the verdict %j', (credentials, expected) => {
    expect(adminCheck('secret')(credentials)).toBe(expected)
  })

  it.each([undefined, ''])('refuses every caller when the password is %j', (password) => {
    expect(adminCheck(password)({ password: '' })).toBe(false)
    expect(adminCheck(password)({ username: 'admin', password: '' })).toBe(false)
  })

  it('accepts the name of another user', () => {
    expect(adminCheck('secret', 'ada')({ username: 'ada', password: 'secret' })).toBe(true)
    expect(adminCheck('secret', 'ada')({ username: 'admin', password: 'secret' })).toBe(false)
  })
})

describe('adminRefusal', () => {
  const basic = `Basic ${btoa('admin:secret')}`
  const refusalOf = (headers: RequestHeaders) => adminRefusal({ headers }, adminCheck('secret'))

  it.each<readonly [string, RequestHeaders]>([
    ['Basic', { authorization: basic }],
    ['a Bearer token', { authorization: 'Bearer secret' }],
    ['Basic from its own page', { authorization: basic, host: 'lab:8787', origin: 'http://lab:8787' }],
    ['a token from a page of another site', { authorization: 'Bearer secret', host: 'lab', origin: 'http://app' }],
  ])('accepts %s', async (_, headers) => {
    expect(await refusalOf(headers)).toBeUndefined()
  })

  it.each<readonly [string, RequestHeaders, RefusalReason]>([
    ['a wrong password', { authorization: `Basic ${btoa('admin:wrong')}` }, 'wrong_password'],
    ['a wrong token', { authorization: 'Bearer wrong' }, 'wrong_password'],
    ['no credentials', {}, 'missing_credentials'],
    ['two headers with credentials', { authorization: [basic, basic] }, 'malformed_credentials'],
    [
      'Basic that a page of another site sends',
      { authorization: basic, host: 'lab:8787', origin: 'http://evil.example' },
      'cross_site',
    ],
    ['Basic on a link from another site', { authorization: basic, 'sec-fetch-site': 'cross-site' }, 'cross_site'],
  ])('refuses %s', async (_, headers, reason) => {
    expect(await refusalOf(headers)).toEqual({ reason })
  })

  it('passes the caller to the check', async () => {
    const seen: unknown[] = []
    const check = (_: unknown, peer: unknown) => seen.push(peer) > 0
    const request = { headers: { authorization: basic }, remoteAddress: '192.0.2.1' }
    await adminRefusal(request, check)
    expect(seen).toEqual([request])
  })

  it('reports how long to wait after many wrong passwords', async () => {
    const admin = adminCheck('secret')
    const present = (password: string) =>
      adminRefusal({ headers: { authorization: `Bearer ${password}` }, remoteAddress: '192.0.2.1' }, admin)
    for (let guess = 0; guess < 5; guess += 1)
      expect(await present(`wrong${guess}`)).toEqual({ reason: 'wrong_password' })
    expect(await present('secret')).toEqual({ reason: 'too_many_guesses', retryAfterSeconds: 1 })
  })

  it('refuses when an unchecked host returns something other than a verdict', async () => {
    for (const verdict of ['yes', 1, null, {}]) {
      const admin = () => JSON.parse(JSON.stringify(verdict))
      expect(await adminRefusal({ headers: { authorization: basic } }, admin)).toEqual({ reason: 'wrong_password' })
    }
  })
})
