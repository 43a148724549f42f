import { memoryGatewayRepositories, memoryKeyInvalidations } from '@trivium/gateway-core/memory'
import type { UserCaller } from '@trivium/http-contract'
import { describe, expect, it } from 'vitest'
import { ADMIN, expectFailure, openGateway } from './open-gateway.ts'

/** A host whose users are named by a header, and where all others are admitted as without a rule. */
const openWithUsers = (user: Partial<UserCaller> = {}) =>
  openGateway({
    routes: {
      authorize: {
        '*': ({ headers }) =>
          typeof headers['x-user'] === 'string' ? { ...user, type: 'user', id: headers['x-user'] } : 'default',
      },
    },
  })

type Open = ReturnType<typeof openWithUsers>

const chatBody = { model: 'big', messages: [{ role: 'user', content: 'x' }], max_tokens: 5 }

const chatAs = (open: Open, user: string) =>
  open.send('/v1/chat/completions', { body: chatBody, headers: { 'x-user': user } })

describe('a user of the host', () => {
  it('chats without a key, up to the limit of requests that the host gives, each user separately', async () => {
    const open = openWithUsers({ limits: { requestsPerMinute: 2 } })
    for (const remaining of ['1', '0']) {
      const answered = await chatAs(open, 'ada')
      expect([answered.status, answered.headers.get('x-ratelimit-remaining')]).toEqual([200, remaining])
    }
    await expectFailure(await chatAs(open, 'ada'), 429, { code: 'rate_limit_exceeded' })
    expect((await chatAs(open, 'grace')).status).toBe(200)
    open.time += 60_000
    expect((await chatAs(open, 'ada')).status).toBe(200)
  })

  it('has a budget of tokens', async () => {
    const open = openWithUsers({ limits: { tokensPerDay: 10 } })
    expect((await chatAs(open, 'ada')).status).toBe(200)
    await open.gateway.budgets.flush()
    await expectFailure(await chatAs(open, 'ada'), 429, { code: 'insufficient_quota' })
    expect((await chatAs(open, 'grace')).status).toBe(200)
  })

  it('has no limit without `limits`, and its usage is counted', async () => {
    const open = openWithUsers()
    for (let count = 0; count < 30; count += 1) expect((await chatAs(open, 'ada')).status).toBe(200)
    expect(open.records.map(({ userId, keyId }) => [userId, keyId])).toEqual(
      Array.from({ length: 30 }, () => ['ada', undefined]),
    )
  })

  it('reads only its own usage, and the admin reads that of all', async () => {
    const open = openWithUsers()
    const { secret, key } = await open.key()
    for (const user of ['ada', 'ada', 'grace']) await chatAs(open, user)
    await open.chat(secret)
    open.time += 1
    const usage = async (query: string, parts: Parameters<Open['send']>[1]) => {
      const response = await open.send(`/v1/usage?group_by=key${query}`, parts)
      expect(response.status).toBe(200)
      const { data } = (await response.json()) as { readonly data: readonly Record<string, unknown>[] }
      return data.map(({ key_id, user_id, requests }) => [key_id, user_id, requests])
    }
    expect(await usage('', { headers: { 'x-user': 'ada' } })).toEqual([[null, 'ada', 2]])
    expect(await usage('', { as: secret })).toEqual([[key.id, undefined, 1]])
    const all = [
      [key.id, undefined, 1],
      [null, 'ada', 2],
      [null, 'grace', 1],
    ]
    expect(await usage('', { as: ADMIN })).toEqual(expect.arrayContaining(all))
    expect(await usage('&user_id=grace', { as: ADMIN })).toEqual([[null, 'grace', 1]])
    for (const query of ['user_id=grace', `key_id=${key.id}`]) {
      await expectFailure(await open.send(`/v1/usage?${query}`, { headers: { 'x-user': 'ada' } }), 403, {
        code: 'admin_required',
      })
    }
  })

  it('gets 403 for operations of the admin, unless a scope names them', async () => {
    const open = openWithUsers()
    const body = { username: 'ada' }
    const refused = await open.send('/v1/auth/generate-key', { body, headers: { 'x-user': 'ada' } })
    await expectFailure(refused, 403, { code: 'not_permitted' })
    const named = openWithUsers({ scopes: ['generateKey'] })
    expect((await named.send('/v1/auth/generate-key', { body, headers: { 'x-user': 'ada' } })).status).toBe(200)
    await expectFailure(await chatAs(named, 'ada'), 403, { code: 'not_permitted' })
  })

  it('gets 403 for all but GET with the scope `read`', async () => {
    const open = openWithUsers({ scopes: ['read'] })
    expect((await open.send('/v1/models', { headers: { 'x-user': 'ada' } })).status).toBe(200)
    await expectFailure(await chatAs(open, 'ada'), 403, { code: 'not_permitted' })
  })

  it('calls open operations and reads its limits with any scope', async () => {
    const open = openWithUsers({ scopes: [] })
    for (const path of ['/health', '/v1/auth/me']) {
      expect([path, (await open.send(path, { headers: { 'x-user': 'ada' } })).status]).toEqual([path, 200])
    }
    const image = await open.send('/v1/images/files/image_00000000000000000000', { headers: { 'x-user': 'ada' } })
    expect(image.status).toBe(404)
    await expectFailure(await chatAs(open, 'ada'), 403, { code: 'not_permitted' })
  })

  it('presents a key or a password where the rule returns `default`', async () => {
    const open = openWithUsers()
    const { secret } = await open.key()
    expect((await open.chat(secret)).status).toBe(200)
    await expectFailure(await open.send('/v1/models'), 401, { code: 'missing_api_key' })
    expect((await open.send('/v1/auth/keys', { as: ADMIN })).status).toBe(200)
  })

  it('causes a 500 and a reported fault where its id is missing', async () => {
    const open = openGateway({ routes: { authorize: { '*': () => JSON.parse('{"type":"user"}') } } })
    expect((await open.send('/v1/models')).status).toBe(500)
    expect(String(open.faults[0])).toContain("The access rule of 'listModels' returned a user with an 'id'")
  })
})

it.each([
  [{ type: 'user', id: '' }, "'caller.id' of 'complete' must not be empty."],
  [{ type: 'user', id: 'ada', limits: { requestsPerMinute: -1 } }, "'caller.limits.requestsPerMinute' of 'complete'"],
  [{ type: 'key', key: { id: 'forged' } }, "'caller.key.rateLimit' of 'complete'"],
  [{ type: 'root' }, "'caller.type' of 'complete'"],
])('chat.complete throws for the caller %j', (caller, message) => {
  const open = openGateway()
  const call = { requestId: 'r1', caller: JSON.parse(JSON.stringify(caller)), signal: new AbortController().signal }
  expect(() =>
    open.gateway.chat.complete(call, { body: JSON.parse(JSON.stringify(chatBody)), raw: undefined }),
  ).toThrow(message)
})

describe('a rule of the host', () => {
  it('sees the operation, the method, the parameters and the host of the request', async () => {
    const seen: unknown[] = []
    const open = openGateway({
      routes: {
        authorize: {
          '*': ({ operation, method, params, host }) => {
            seen.push([operation, method, params, host instanceof Object && 'request' in host])
            return 'default'
          },
        },
      },
    })
    await open.send('/v1/models/up/big', { as: ADMIN })
    expect(seen).toEqual([['getModel', 'GET', { model: 'up/big' }, true]])
  })

  it('refuses with a status and a message of its own, in the shape of the gateway', async () => {
    const refusal = { status: 402, message: 'The trial has ended.' }
    const open = openGateway({ routes: { authorize: { createChatCompletion: () => refusal } } })
    await expectFailure(await open.chat(ADMIN), 402, { message: 'The trial has ended.', code: 'refused' })
  })

  it.each(['revoked', 'expired'])('gets 401 for a key that was %s meanwhile', async (ended) => {
    const open = openGateway({ routes: { authorize: { '*': () => ({ type: 'key', key }) } } })
    const { key } = await open.key({ expiresInDays: 1 })
    expect((await open.send('/v1/models')).status).toBe(200)
    if (ended === 'revoked') await open.gateway.apiKeys.revoke(key.id)
    else open.time += 86_400_000
    await expectFailure(await open.send('/v1/models'), 401, { code: 'invalid_api_key' })
  })

  it('gets 401 for a key whose secret was replaced meanwhile, and 200 for what replaced it', async () => {
    const open = openGateway({ routes: { authorize: { '*': () => ({ type: 'key', key: handed }) } } })
    const { key } = await open.key()
    let handed = key
    expect((await open.send('/v1/models')).status).toBe(200)
    handed = (await open.gateway.apiKeys.rotate(key.id))._unsafeUnwrap().key
    expect((await open.send('/v1/models')).status).toBe(200)
    handed = key
    await expectFailure(await open.send('/v1/models'), 401, { code: 'invalid_api_key' })
  })

  it('gets 200 for a rotated key also where another replica has rotated it without a notice', async () => {
    const shared = memoryGatewayRepositories()
    const replica = () => ({ ...shared, keyInvalidations: memoryKeyInvalidations() })
    const other = openGateway({ repositories: replica() })
    let handed = (await other.key()).key
    const open = openGateway({
      repositories: replica(),
      routes: { authorize: { '*': () => ({ type: 'key', key: handed }) } },
    })
    expect((await open.send('/v1/models')).status).toBe(200)
    handed = (await other.gateway.apiKeys.rotate(handed.id))._unsafeUnwrap().key
    expect((await open.send('/v1/models')).status).toBe(200)
  })

  it('applies the limits that a key has now, not those of the object that it returns', async () => {
    const open = openGateway({ routes: { authorize: { '*': () => ({ type: 'key', key }) } } })
    const { key } = await open.key({ rateLimit: 100 })
    await open.gateway.apiKeys.change(key.id, { rateLimit: 1 })
    expect((await open.send('/v1/models')).status).toBe(200)
    expect((await open.send('/v1/models')).status).toBe(429)
  })

  it('gets 403 for a key that calls operations of the admin', async () => {
    const open = openGateway({ routes: { authorize: { '*': () => ({ type: 'key', key }) } } })
    const { key } = await open.key()
    await expectFailure(await open.send('/v1/auth/keys'), 403, { code: 'admin_required' })
  })

  it('shows no usage to an anonymous caller', async () => {
    const open = openGateway({ routes: { authorize: { getUsage: 'open', getCaller: () => ({ type: 'anonymous' }) } } })
    const { secret } = await open.key()
    for (const as of [{}, { as: secret }, { as: ADMIN }]) {
      for (const path of ['/v1/usage', '/v1/auth/me']) {
        await expectFailure(await open.send(path, as), 401, {
          code: 'missing_api_key',
          message: expect.stringMatching(/^The access rule of this operation identifies no caller/),
        })
      }
    }
  })
})

describe('GET /v1/auth/me', () => {
  const me = async (open: Open, parts: Parameters<Open['send']>[1]) => {
    const response = await open.send('/v1/auth/me', parts)
    expect(response.status).toBe(200)
    return response.json()
  }

  it('reports a key, its limits and what is left of them', async () => {
    const open = openWithUsers()
    const { secret, key } = await open.key({ rateLimit: 7, budget: { tokensPerDay: 100 }, name: 'notebook' })
    await open.chat(secret, { max_tokens: 5 })
    await open.gateway.budgets.flush()
    expect(await me(open, { as: secret })).toMatchObject({
      object: 'caller',
      type: 'key',
      key_id: key.id,
      username: 'ada',
      name: 'notebook',
      rate_limit: 7,
      remaining: 6,
      tokens_per_minute: null,
      tokens_per_day: 100,
      tokens_used_day: expect.any(Number),
    })
  })

  it('reports a user of the host and the admin', async () => {
    const open = openWithUsers({ limits: { requestsPerMinute: 3 } })
    await chatAs(open, 'ada')
    expect(await me(open, { headers: { 'x-user': 'ada' } })).toMatchObject({
      type: 'user',
      key_id: null,
      user_id: 'ada',
      rate_limit: 3,
      remaining: 2,
    })
    expect(await me(open, { as: ADMIN })).toMatchObject({ type: 'admin', user_id: null, rate_limit: null })
  })
})
