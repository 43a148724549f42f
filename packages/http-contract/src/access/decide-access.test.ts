import { describe, expect, it } from 'vitest'
import type { AccessRequest, AdminRule } from './access-rules.ts'
import { type AccessDecision, decideAccess } from './decide-access.ts'
import type { UserCaller } from './user-caller.ts'

const admin = ({ password }: { readonly password: string }) => password === 'secret'
const request: AccessRequest<{ readonly user: string }> = {
  operation: 'show',
  method: 'GET',
  params: { id: '1' },
  headers: { authorization: `Basic ${btoa('admin:secret')}` },
  remoteAddress: '192.0.2.1',
  host: { user: 'ada' },
}
type Rule = Exclude<AdminRule<{ readonly user: string }>, 'default'>

const decide = (rule: Rule, toUsers = true) => decideAccess(rule, request, admin, { toUsers })

/** A rule of a host without type checks. */
const unchecked =
  (answer: unknown): Rule =>
  () =>
    JSON.parse(JSON.stringify(answer))

describe('decideAccess', () => {
  it.each<[string, Rule, AccessDecision]>([
    ['anyone by an open rule', 'open', { caller: { type: 'anonymous' } }],
    ['the admin by the rule of the admin', 'admin', { caller: { type: 'admin' } }],
    ['the caller that a host returns', () => ({ type: 'admin' }), { caller: { type: 'admin' } }],
    ['the caller that a host returns later', async () => ({ type: 'admin' }), { caller: { type: 'admin' } }],
    ['the admin where the host leaves it to the default', () => 'default', { caller: { type: 'admin' } }],
    ['a user of the host', ({ host }) => ({ type: 'user', id: host.user }), { caller: { type: 'user', id: 'ada' } }],
  ])('admits %s', async (_, rule, expected) => {
    expect(await decide(rule)).toEqual(expected)
  })

  it('refuses a request without credentials where the host leaves it to the default', async () => {
    const anonymous = { ...request, headers: {} }
    expect(await decideAccess(() => 'default', anonymous, admin, { toUsers: true })).toEqual({
      refusal: { reason: 'missing_credentials' },
    })
  })

  it('refuses a request as the host words it', async () => {
    const answer = { status: 402, message: 'The trial has ended.' }
    expect(await decide(() => answer)).toEqual({ refusal: { reason: 'host_rule' }, answer })
  })

  it.each([undefined, null])('refuses where an unchecked host returns %j', async (answer) => {
    const rule = answer === undefined ? () => undefined : unchecked(answer)
    expect(await decide(rule)).toEqual({ refusal: { reason: 'host_rule' } })
  })

  it.each([
    [{ type: 'user' }, "an 'id' that is not a text"],
    [{ type: 'user', id: '' }, "an 'id' that is not a text"],
    [{ type: 'user', id: 7 }, "an 'id' that is not a text"],
    [{ type: 'user', id: 'x'.repeat(129) }, "an 'id' that is not a text"],
    [{ type: 'user', id: 'a\nb' }, "an 'id' that is not a text"],
    [{ type: 'user', id: 'a', limits: { requestsPerMinute: 0 } }, "'limits.requestsPerMinute'"],
    [{ type: 'user', id: 'a', limits: { tokensPerDay: '9' } }, "'limits.tokensPerDay'"],
    [{ type: 'user', id: 'a', scopes: 'read' }, "'scopes'"],
    [{ type: 'user', id: 'a', labs: [1] }, "'labs'"],
    [{ type: 'user', id: 'a', volumes: 'some' }, "'volumes'"],
    [{ type: 'user', id: 'a', limits: { requestPerMinute: 3 } }, "the unknown limit 'requestPerMinute'"],
    [{ type: 'user', id: 'a', limits: 5 }, "'limits' that are not an object"],
    [{ type: 'user', id: 'a', scope: ['read'] }, "a user with the unknown field 'scope'"],
    [{ type: 'user', id: 'a', limit: { requestsPerMinute: 1 } }, "a user with the unknown field 'limit'"],
    [{ type: 'user', id: 'a', toString: 'x' }, "a user with the unknown field 'toString'"],
    [true, 'returned neither a caller nor a refusal'],
    ['admin', 'returned neither a caller nor a refusal'],
    [{}, 'returned neither a caller nor a refusal'],
    [{ type: 'root' }, 'returned neither a caller nor a refusal'],
    [{ status: 200, message: 'x' }, "'status' is not from 400 to 599"],
    [{ status: 403 }, "without a 'message'"],
  ])('rejects with the field that is wrong in %j', async (answer, mistake) => {
    await expect(decide(unchecked(answer))).rejects.toThrow(mistake)
  })

  it('accepts a user with an unknown field that is undefined', async () => {
    const user = { type: 'user', id: 'a', scope: undefined }
    expect(await decide(unchecked(user))).toEqual({ caller: user })
  })

  it('rejects with the error of a host rule', async () => {
    const rule: Rule = () => Promise.reject(new Error('sessions are unavailable'))
    await expect(decide(rule)).rejects.toThrow('sessions are unavailable')
  })

  it('passes the whole request to a rule', async () => {
    const seen: unknown[] = []
    await decide((shown) => void seen.push(shown))
    expect(seen).toEqual([request])
  })
})

describe('scopes of a user', () => {
  const user = (scopes?: readonly string[]): UserCaller => ({ type: 'user', id: 'ada', ...(scopes && { scopes }) })

  it.each<[readonly string[] | undefined, string, boolean, boolean]>([
    [undefined, 'GET', true, true],
    [undefined, 'GET', false, false],
    [['show'], 'POST', true, true],
    [['show'], 'POST', false, true],
    [['read'], 'GET', true, true],
    [['read'], 'POST', true, false],
    [['read'], 'GET', false, false],
    [[], 'GET', true, false],
    [['hide'], 'GET', true, false],
  ])('%j let %s pass where the operation is offered (%s): %s', async (scopes, method, toUsers, admitted) => {
    const decided = await decideAccess(() => user(scopes), { ...request, method }, admin, { toUsers })
    expect(decided).toEqual(admitted ? { caller: user(scopes) } : { refusal: { reason: 'not_permitted', user: 'ada' } })
  })
})
