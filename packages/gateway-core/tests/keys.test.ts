import { memoryApiKeys, memoryGatewayRepositories, memoryKeyInvalidations } from '@trivium/gateway-core/memory'
import type { ApiKeyRepository } from '@trivium/gateway-core/ports'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ADMIN, expectFailure, type OpenGateway, openGateway } from './open-gateway.ts'

afterEach(() => {
  vi.useRealTimers()
})

const make = async (open: OpenGateway, body: object = { username: 'ada' }) =>
  (await open.send('/v1/auth/generate-key', { as: ADMIN, body })).json()
const read = async (open: OpenGateway, path: string) => (await open.send(path, { as: ADMIN })).json()

const noTerms = {
  team_id: null,
  tokens_per_minute: null,
  tokens_per_day: null,
  max_budget: null,
  budget_period: null,
  max_parallel_requests: null,
  models: null,
  denied_models: null,
  endpoints: null,
  ip_ranges: null,
  disabled: false,
  tags: [],
  metadata: {},
}

describe('generate-key', () => {
  it('returns the secret once, with the defaults', async () => {
    const open = openGateway()
    const response = await open.send('/v1/auth/generate-key', { as: ADMIN, body: { username: 'ada' } })
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const issued = await response.json()
    expect(issued).toEqual({
      api_key: expect.stringMatching(/^tvm_[A-Za-z0-9_-]{43}$/),
      key_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      username: 'ada',
      name: null,
      created_at: '2026-01-02T03:04:05.000Z',
      expires_at: null,
      rate_limit: 10,
      ...noTerms,
    })
    const stored = JSON.stringify(await open.repositories.apiKeys.list({ limit: 10 }))
    expect(stored).not.toContain(issued.api_key)
    expect(JSON.stringify(await read(open, '/v1/auth/keys'))).not.toContain(issued.api_key)
  })

  it('accepts all properties of a key', async () => {
    const open = openGateway()
    const body = {
      username: ' ada ',
      name: 'laptop',
      rate_limit: 3,
      expires_in_days: 2,
      tokens_per_minute: 5,
      tokens_per_day: 6,
    }
    expect(await make(open, body)).toMatchObject({
      username: 'ada',
      name: 'laptop',
      rate_limit: 3,
      expires_at: '2026-01-04T03:04:05.000Z',
      tokens_per_minute: 5,
      tokens_per_day: 6,
    })
    expect(await make(open, { username: 'ada', name: null, rate_limit: null, expires_in_days: null })).toMatchObject({
      rate_limit: 10,
    })
  })

  it('returns the same id for the same user, and always a new secret', async () => {
    const open = openGateway()
    const [one, two, other] = [await make(open), await make(open), await make(open, { username: 'grace' })]
    expect(one.user_id).toBe(two.user_id)
    expect(one.user_id).not.toBe(other.user_id)
    expect(new Set([one.api_key, two.api_key, other.api_key]).size).toBe(3)
  })

  it('returns 409 for a name that is taken', async () => {
    const open = openGateway()
    await make(open, { username: 'ada', name: 'laptop' })
    const again = await open.send('/v1/auth/generate-key', { as: ADMIN, body: { username: 'ada', name: 'laptop' } })
    await expectFailure(again, 409, { param: 'name', code: 'name_taken' })
  })

  it.each([
    [{}, 'username'],
    [{ username: '' }, 'username'],
    [{ username: '   ' }, 'username'],
    [{ username: 'a\u0000b' }, 'username'],
    [{ username: '\ud800' }, 'username'],
    [{ username: 'x'.repeat(129) }, 'username'],
    [{ username: 7 }, 'username'],
    [{ username: 'ada', name: 'a\nb' }, 'name'],
    [{ username: 'ada', rate_limit: 0 }, 'rate_limit'],
    [{ username: 'ada', rate_limit: -1 }, 'rate_limit'],
    [{ username: 'ada', rate_limit: 1.5 }, 'rate_limit'],
    [{ username: 'ada', rate_limit: '10' }, 'rate_limit'],
    [{ username: 'ada', rate_limit: 100_001 }, 'rate_limit'],
    [{ username: 'ada', expires_in_days: 0 }, 'expires_in_days'],
    [{ username: 'ada', expires_in_days: 36_501 }, 'expires_in_days'],
    [{ username: 'ada', tokens_per_day: -5 }, 'tokens_per_day'],
  ])('refuses %j', async (body, param) => {
    const open = openGateway()
    await expectFailure(await open.send('/v1/auth/generate-key', { as: ADMIN, body }), 400, { param })
  })

  it('emits an event with the new key', async () => {
    const open = openGateway()
    const created: string[] = []
    open.gateway.events.on('key.created', ({ username }) => created.push(username))
    await make(open)
    expect(created).toEqual(['ada'])
  })
})

describe('validate', () => {
  const validate = async (open: OpenGateway, as?: string) =>
    open.send('/v1/auth/validate', as === undefined ? {} : { as })

  it('returns usage and limits without counting the request', async () => {
    const open = openGateway()
    const { api_key: secret, key_id: id } = await make(open, {
      username: 'ada',
      name: 'laptop',
      rate_limit: 5,
      tokens_per_day: 1_000,
    })
    await open.chat(secret, { max_tokens: 10 })
    open.time += 1_000
    for (let index = 0; index < 3; index += 1) {
      const response = await validate(open, secret)
      expect(await response.json()).toMatchObject({
        valid: true,
        key_id: id,
        username: 'ada',
        name: 'laptop',
        rate_limit: 5,
        usage_count: 1,
        last_used_at: '2026-01-02T03:04:05.000Z',
        remaining: 4,
        reset_at: '2026-01-02T03:05:05.000Z',
        tokens_per_day: 1_000,
        tokens_used_day: 11,
        error: null,
      })
      expect(response.headers.get('x-ratelimit-remaining')).toBe('4')
    }
  })

  it.each([
    [undefined, 'No authorization header provided'],
    ['Bearer x', 'Invalid API key format'],
    ['nonsense here', 'Invalid API key format'],
    [ADMIN, 'Invalid API key format'],
    [`tvm_${'a'.repeat(43)}`, 'API key not found'],
  ])('returns 200 and the reason for the credentials %s', async (as, error) => {
    const open = openGateway()
    const response = await validate(open, as)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ valid: false, error })
  })

  it('distinguishes an expired key from a revoked one, immediately', async () => {
    const open = openGateway()
    const { api_key: expiring } = await make(open, { username: 'ada', expires_in_days: 1 })
    const { api_key: revoked, key_id: id } = await make(open)
    open.time += 86_400_000
    expect(await (await validate(open, expiring)).json()).toEqual({ valid: false, error: 'API key has expired' })
    await open.send(`/v1/auth/keys/${id}`, { as: ADMIN, method: 'DELETE' })
    expect(await (await validate(open, revoked)).json()).toEqual({ valid: false, error: 'API key is inactive' })
  })

  it.each([
    ['undefined', undefined],
    ['null', JSON.parse('null')],
    ['a number', JSON.parse('5')],
    ['an object', JSON.parse('{}')],
    ['an empty text', ''],
  ])('finds %s malformed, as does `authenticate`', async (_, secret) => {
    const { apiKeys } = openGateway().gateway
    const refusal = { type: 'api-key-malformed' }
    expect((await apiKeys.validate(secret))._unsafeUnwrapErr()).toEqual(refusal)
    expect((await apiKeys.authenticate(secret))._unsafeUnwrapErr()).toEqual(refusal)
  })

  it('returns 200 when the store has failed', async () => {
    const open = openGateway({
      repositories: { apiKeys: { ...memoryApiKeys(), findByHash: () => Promise.reject(new Error('down')) } },
    })
    const response = await validate(open, `tvm_${'a'.repeat(43)}`)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      valid: false,
      error: 'The API key cannot be checked because the store is unavailable.',
    })
  })
})

describe('administration of keys', () => {
  it('lists keys in pages, of all users or of one', async () => {
    const open = openGateway()
    const ids: string[] = []
    for (const username of ['ada', 'grace', 'ada', 'ada']) {
      open.time += 1
      ids.push((await make(open, { username })).key_id)
    }
    const first = await read(open, '/v1/auth/keys?limit=2')
    expect(first).toMatchObject({ object: 'list', has_more: true, last_id: ids[1] })
    const second = await read(open, `/v1/auth/keys?limit=2&after=${first.last_id}`)
    expect(second).toMatchObject({ has_more: false, last_id: ids[3] })
    expect([...first.data, ...second.data].map(({ key_id }: { key_id: string }) => key_id)).toEqual(ids)
    expect((await read(open, '/v1/auth/keys?username=grace')).data).toHaveLength(1)
    for (const query of ['limit=0', 'limit=1001', 'limit=x']) {
      await expectFailure(await open.send(`/v1/auth/keys?${query}`, { as: ADMIN }), 400, { param: 'limit' })
    }
  })

  it('changes the name and the limits, separately or together', async () => {
    const open = openGateway()
    const { key_id: id } = await make(open, { username: 'ada', name: 'laptop', tokens_per_day: 5 })
    const change = async (body: object) =>
      (await open.send(`/v1/auth/keys/${id}`, { as: ADMIN, method: 'PATCH', body })).json()
    expect(await change({ name: 'desk' })).toMatchObject({ name: 'desk', rate_limit: 10, tokens_per_day: 5 })
    expect(await change({ rate_limit: 3 })).toMatchObject({ name: 'desk', rate_limit: 3, tokens_per_day: 5 })
    expect(await change({ tokens_per_minute: 4 })).toMatchObject({ tokens_per_minute: 4, tokens_per_day: 5 })
    expect(await change({ name: null, tokens_per_day: null, rate_limit: 7 })).toMatchObject({
      name: null,
      rate_limit: 7,
      tokens_per_minute: 4,
      tokens_per_day: null,
    })
    expect(await change({})).toMatchObject({ name: null, rate_limit: 7 })
    expect(await read(open, `/v1/auth/keys/${id}`)).toMatchObject({
      rate_limit: 7,
      hint: expect.stringMatching(/^tvm_.{4}$/),
    })
    await make(open, { username: 'ada', name: 'taken' })
    const taken = await open.send(`/v1/auth/keys/${id}`, { as: ADMIN, method: 'PATCH', body: { name: 'taken' } })
    await expectFailure(taken, 409, { code: 'name_taken' })
  })

  it('keeps the budget that another request changes meanwhile, where only the rate limit changes', async () => {
    const apiKeys = memoryApiKeys()
    const other: ApiKeyRepository = {
      ...apiKeys,
      change: async (id, changes) => {
        await apiKeys.change(id, { budget: { tokensPerDay: 9 } })
        return apiKeys.change(id, changes)
      },
    }
    const open = openGateway({ repositories: { apiKeys: other } })
    const { key_id: id } = await make(open, { username: 'ada' })
    const changed = await open.send(`/v1/auth/keys/${id}`, { as: ADMIN, method: 'PATCH', body: { rate_limit: 3 } })
    expect(await changed.json()).toMatchObject({ rate_limit: 3, tokens_per_day: 9 })
  })

  it('applies a new limit immediately', async () => {
    const open = openGateway()
    const { api_key: secret, key_id: id } = await make(open)
    expect((await open.chat(secret)).status).toBe(200)
    await open.send(`/v1/auth/keys/${id}`, { as: ADMIN, method: 'PATCH', body: { rate_limit: 1 } })
    expect((await open.chat(secret)).status).toBe(429)
  })

  it('rotates a secret, and refuses the old one immediately', async () => {
    const open = openGateway()
    const { api_key: old, key_id: id } = await make(open)
    expect((await open.chat(old)).status).toBe(200)
    const rotated = await (await open.send(`/v1/auth/keys/${id}/rotate`, { as: ADMIN, method: 'POST' })).json()
    expect(rotated).toMatchObject({ key_id: id, api_key: expect.stringMatching(/^tvm_/) })
    expect((await open.chat(old)).status).toBe(401)
    expect((await open.chat(rotated.api_key)).status).toBe(200)
  })

  it('revokes a key permanently, and keeps the time of the first revocation', async () => {
    const open = openGateway()
    const { key_id: id } = await make(open)
    const revoke = async () => (await open.send(`/v1/auth/keys/${id}`, { as: ADMIN, method: 'DELETE' })).json()
    expect(await revoke()).toMatchObject({ revoked_at: '2026-01-02T03:04:05.000Z' })
    open.time += 5_000
    expect(await revoke()).toMatchObject({ revoked_at: '2026-01-02T03:04:05.000Z' })
    const rotated = await open.send(`/v1/auth/keys/${id}/rotate`, { as: ADMIN, method: 'POST' })
    await expectFailure(rotated, 409, { code: 'api_key_revoked' })
  })

  it('returns 404 for a key that does not exist', async () => {
    const open = openGateway()
    for (const [path, method] of [
      ['/v1/auth/keys/none', 'GET'],
      ['/v1/auth/keys/none', 'PATCH'],
      ['/v1/auth/keys/none', 'DELETE'],
      ['/v1/auth/keys/none/rotate', 'POST'],
    ] as const) {
      const body = method === 'PATCH' ? { body: { name: 'x' } } : {}
      await expectFailure(await open.send(path, { as: ADMIN, method, ...body }), 404, { code: 'api_key_not_found' })
    }
  })
})

it.each([
  ['/v1/auth/keys/a%00', 'GET', 'key_id'],
  ['/v1/auth/keys/a%00', 'PATCH', 'key_id'],
  ['/v1/auth/keys/a%00', 'DELETE', 'key_id'],
  ['/v1/auth/keys/a%00/rotate', 'POST', 'key_id'],
  ['/v1/auth/keys?after=%00', 'GET', 'after'],
  ['/v1/auth/keys?username=%00', 'GET', 'username'],
  ['/v1/usage?key_id=%00', 'GET', 'key_id'],
])('returns 400 for control characters in %s, without asking the store', async (path, method, param) => {
  const open = openGateway()
  const body = method === 'PATCH' ? { body: { name: 'x' } } : {}
  await expectFailure(await open.send(path, { as: ADMIN, method, ...body }), 400, { param, code: 'invalid_value' })
})

describe('key cache', () => {
  it('answers without the store for 5 seconds', async () => {
    vi.useFakeTimers({ toFake: ['performance'] }).advanceTimersByTime(1)
    const apiKeys = memoryApiKeys()
    const findByHash = vi.fn(apiKeys.findByHash)
    const open = openGateway({ repositories: { apiKeys: { ...apiKeys, findByHash } } })
    await open.gateway.start()
    const { secret } = await open.key()
    for (let index = 0; index < 5; index += 1) expect((await open.chat(secret)).status).toBe(200)
    expect(findByHash).toHaveBeenCalledOnce()
    vi.advanceTimersByTime(5_001)
    await open.chat(secret)
    expect(findByHash).toHaveBeenCalledTimes(2)
  })

  it('drops a key that another replica revoked: on its message, or after 5 seconds', async () => {
    vi.useFakeTimers({ toFake: ['performance'] }).advanceTimersByTime(1)
    const shared = memoryGatewayRepositories()
    const keyInvalidations = memoryKeyInvalidations()
    const one = openGateway({ repositories: { ...shared, keyInvalidations } })
    const two = openGateway({ repositories: { ...shared, keyInvalidations } })
    const { keyInvalidations: _, ...withoutMessages } = shared
    const three = openGateway({ repositories: { ...withoutMessages, keyInvalidations: memoryKeyInvalidations() } })
    await Promise.all([one, two, three].map(({ gateway }) => gateway.start()))
    const { secret, key } = await one.key()
    for (const replica of [one, two, three]) expect((await replica.chat(secret)).status).toBe(200)
    await one.gateway.apiKeys.revoke(key.id)
    expect(
      [await one.chat(secret), await two.chat(secret), await three.chat(secret)].map(({ status }) => status),
    ).toEqual([401, 401, 200])
    vi.advanceTimersByTime(5_001)
    expect((await three.chat(secret)).status).toBe(401)
  })

  it('drops a revoked key whose first requests were simultaneous', async () => {
    const open = openGateway()
    const { secret, key } = await open.key()
    const first = await Promise.all(Array.from({ length: 5 }, () => open.chat(secret)))
    expect(first.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    await open.gateway.apiKeys.revoke(key.id)
    expect((await open.chat(secret)).status).toBe(401)
  })

  it('drops a key that was revoked during its look-up', async () => {
    const apiKeys = memoryApiKeys()
    let release = () => undefined as unknown
    const gate = new Promise<void>((resolve) => {
      release = () => resolve()
    })
    let slow = true
    const open = openGateway({
      repositories: {
        apiKeys: {
          ...apiKeys,
          async findByHash(hash) {
            const found = await apiKeys.findByHash(hash)
            if (slow) await gate
            return found
          },
        },
      },
    })
    const { secret, key } = await open.key()
    const looking = open.gateway.apiKeys.authenticate(secret)
    await new Promise((resolve) => setTimeout(resolve))
    slow = false
    await open.gateway.apiKeys.revoke(key.id)
    release()
    await looking
    expect((await open.gateway.apiKeys.authenticate(secret)).isErr()).toBe(true)
  })

  it('works without a subscription, and reports one fault for each read of the store', async () => {
    const broken = new Error('no messages')
    const keyInvalidations = { publish: async () => undefined, subscribe: () => Promise.reject(broken) }
    const open = openGateway({ repositories: { keyInvalidations } })
    const { secret } = await open.key()
    expect((await open.chat(secret)).status).toBe(200)
    expect((await open.chat(secret)).status).toBe(200)
    expect(open.faults).toMatchObject([{ name: 'StoreFailure', cause: broken }])
    await expect(open.gateway.start()).rejects.toMatchObject({ cause: broken })
  })

  it('reads a key again that it cached before the subscription', async () => {
    const { promise: subscribed, resolve: subscribe } = Promise.withResolvers<void>()
    const keyInvalidations = {
      publish: async () => undefined,
      subscribe: async () => {
        await subscribed
        return async () => undefined
      },
    }
    const apiKeys = memoryApiKeys()
    const findByHash = vi.fn(apiKeys.findByHash)
    const open = openGateway({ repositories: { keyInvalidations, apiKeys: { ...apiKeys, findByHash } } })
    const { secret } = await open.key()
    await open.chat(secret)
    subscribe()
    await open.gateway.start()
    await open.chat(secret)
    await open.chat(secret)
    expect(findByHash).toHaveBeenCalledTimes(2)
  })

  it('drops all keys after messages may have been lost', async () => {
    let listener: ((id: undefined) => void) | undefined
    const keyInvalidations = {
      publish: async () => undefined,
      subscribe: async (subscribed: (id: undefined) => void) => {
        listener = subscribed
        return async () => undefined
      },
    }
    const apiKeys = memoryApiKeys()
    const findByHash = vi.fn(apiKeys.findByHash)
    const open = openGateway({ repositories: { keyInvalidations, apiKeys: { ...apiKeys, findByHash } } })
    const { secret } = await open.key()
    await open.chat(secret)
    listener?.(undefined)
    await open.chat(secret)
    expect(findByHash).toHaveBeenCalledTimes(2)
  })
})
