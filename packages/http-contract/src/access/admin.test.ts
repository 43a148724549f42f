import { describe, expect, it } from 'vitest'
import { adminCheck, presentsAdmin } from './admin.ts'

describe('adminCheck', () => {
  it.each([
    [{ username: 'admin', password: 'secret' }, true],
    [{ password: 'secret' }, true],
    [{ username: 'admin', password: 'Secret' }, false],
    [{ username: 'admin', password: '' }, false],
    [{ username: 'root', password: 'secret' }, false],
    [{ username: '', password: 'secret' }, false],
    [{ password: 'secretsecret' }, false],
  ])('of %j is %j', (credentials, expected) => {
    expect(adminCheck('secret')(credentials)).toBe(expected)
  })

  it.each([undefined, ''])('lets nobody in where the password is %j', (password) => {
    expect(adminCheck(password)({ password: '' })).toBe(false)
    expect(adminCheck(password)({ username: 'admin', password: '' })).toBe(false)
  })

  it('takes another user', () => {
    expect(adminCheck('secret', 'ada')({ username: 'ada', password: 'secret' })).toBe(true)
    expect(adminCheck('secret', 'ada')({ username: 'admin', password: 'secret' })).toBe(false)
  })
})

describe('presentsAdmin', () => {
  const admin = adminCheck('secret')
  const basic = `Basic ${btoa('admin:secret')}`

  it.each([
    ['Basic', { authorization: basic }, true],
    ['a Bearer token', { authorization: 'Bearer secret' }, true],
    ['a wrong password', { authorization: `Basic ${btoa('admin:wrong')}` }, false],
    ['nothing', {}, false],
    ['two of them', { authorization: [basic, basic] }, false],
    ['Basic of its own page', { authorization: basic, host: 'lab:8787', origin: 'http://lab:8787' }, true],
    [
      'Basic that a foreign page sends',
      { authorization: basic, host: 'lab:8787', origin: 'http://evil.example' },
      false,
    ],
    ['a token that a foreign page has', { authorization: 'Bearer secret', host: 'lab', origin: 'http://app' }, true],
  ])('with %s', async (_, headers, expected) => {
    expect(await presentsAdmin(headers, admin)).toBe(expected)
  })
})
