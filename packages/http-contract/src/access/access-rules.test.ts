import { describe, expect, it } from 'vitest'
import { type AdminRule, accessRule, isAdmitted } from './access-rules.ts'

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
  ])('finds in %j, for show, %j', (rules, expected) => {
    expect(accessRule(rules, 'show')).toBe(expected)
  })
})

describe('isAdmitted', () => {
  it.each<[string, AdminRule, boolean]>([
    ['anyone by an open rule', 'open', true],
    ['the admin by the rule of the admin', 'admin', true],
    ['the caller that a host returns', () => ({ type: 'admin' }), true],
    ['the caller that a host returns later', async () => ({ type: 'admin' }), true],
    ['no one where a host returns nothing', () => undefined, false],
  ])('admits %s', async (_, rule, expected) => {
    expect(await isAdmitted(rule, { operation: 'show', headers }, admin)).toBe(expected)
  })

  it.each([true, false, null, {}, { type: 'user' }])('refuses where an unchecked host returns %j', async (answer) => {
    const rule: AdminRule = () => JSON.parse(JSON.stringify(answer))
    expect(await isAdmitted(rule, { operation: 'show', headers }, admin)).toBe(false)
  })

  it('rejects as a host rule does', async () => {
    const rule: AdminRule = () => Promise.reject(new Error('sessions are away'))
    await expect(isAdmitted(rule, { operation: 'show', headers }, admin)).rejects.toThrow('sessions are away')
  })

  it('shows a rule the operation and the headers', async () => {
    const seen: unknown[] = []
    await isAdmitted((request) => void seen.push(request), { operation: 'show', headers }, admin)
    expect(seen).toEqual([{ operation: 'show', headers }])
  })
})
