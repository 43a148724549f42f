import { describe, expect, it } from 'vitest'
import { type AdminRule, accessRefusal, accessRule } from './access-rules.ts'
import type { Refusal } from './refusal.ts'

const headers = { authorization: `Basic ${btoa('admin:secret')}` }
const admin = ({ password }: { readonly password: string }) => password === 'secret'

describe('accessRule', () => {
  it.each([
    [undefined, undefined],
    [{}, undefined],
    [{ show: 'open' }, 'open'],
    [{ '*': 'admin' }, 'admin'],
    [{ '*': 'admin', show: 'open' }, 'open'],
    [{ take: 'open' }, undefined],
  ])('finds in the rules %j for the operation `show` the rule %j', (rules, expected) => {
    expect(accessRule(rules, 'show')).toBe(expected)
  })
})

describe('accessRefusal', () => {
  it.each<[string, AdminRule, Refusal | undefined]>([
    ['anyone by an open rule', 'open', undefined],
    ['the admin by the rule of the admin', 'admin', undefined],
    ['the caller that a host returns', () => ({ type: 'admin' }), undefined],
    ['the caller that a host returns later', async () => ({ type: 'admin' }), undefined],
    ['no one if a host returns nothing', () => undefined, { reason: 'host_rule' }],
  ])('admits %s', async (_, rule, expected) => {
    expect(await accessRefusal(rule, { operation: 'show', headers }, admin)).toEqual(expected)
  })

  it.each([
    true,
    false,
    null,
    {},
    { type: 'user' },
  ])('refuses a request when an unchecked host returns %j', async (answer) => {
    const rule: AdminRule = () => JSON.parse(JSON.stringify(answer))
    expect(await accessRefusal(rule, { operation: 'show', headers }, admin)).toEqual({ reason: 'host_rule' })
  })

  it('rejects with the error of a host rule', async () => {
    const rule: AdminRule = () => Promise.reject(new Error('sessions are unavailable'))
    await expect(accessRefusal(rule, { operation: 'show', headers }, admin)).rejects.toThrow('sessions are unavailable')
  })

  it('passes the operation, the headers and the address to a rule', async () => {
    const seen: unknown[] = []
    const request = { operation: 'show', headers, remoteAddress: '192.0.2.1' }
    await accessRefusal((shown) => void seen.push(shown), request, admin)
    expect(seen).toEqual([request])
  })
})
