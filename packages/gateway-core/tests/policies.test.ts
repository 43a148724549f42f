import { gatewayContract } from '@trivium/gateway-core/http'
import { describe, expect, it } from 'vitest'
import { fakeProvider } from './fake-provider.ts'
import { ADMIN, expectFailure, expectMessageFailure, type OpenGateway, openGateway } from './open-gateway.ts'

const CHAT = '/v1/chat/completions'
const chat = (model: string) => ({ model, messages: [{ role: 'user', content: 'Hi' }] })

const issue = async (open: OpenGateway, body: object = {}) => {
  const response = await open.send('/v1/auth/generate-key', { as: ADMIN, body: { username: 'ada', ...body } })
  expect(response.status).toBe(200)
  return response.json()
}

const change = async (open: OpenGateway, path: string, body: object) => {
  const response = await open.send(path, { as: ADMIN, method: 'PATCH', body })
  expect(response.status).toBe(200)
  return response.json()
}

describe('rules of a key', () => {
  it('reports each rule as it was set, and removes it with null', async () => {
    const open = openGateway()
    const rules = {
      max_budget: '12.50',
      budget_period: 'month',
      max_parallel_requests: 3,
      models: ['up/*'],
      denied_models: ['up/huge'],
      endpoints: ['createChatCompletion'],
      ip_ranges: ['10.0.0.0/8', '::1'],
      disabled: false,
      tags: ['red'],
      metadata: { centre: '42' },
      expires_at: '2026-03-01T00:00:00.000Z',
    }
    const key = await issue(open, rules)
    expect(key).toMatchObject({ ...rules, max_budget: '12.5' })
    const path = `/v1/auth/keys/${key.key_id}`
    expect(await (await open.send(path, { as: ADMIN })).json()).toMatchObject({ ...rules, max_budget: '12.5' })
    const kept = await change(open, path, { max_budget: 7 })
    expect(kept).toMatchObject({ ...rules, max_budget: '7' })
    const nothing = Object.fromEntries(Object.keys(rules).map((name) => [name, null]))
    expect(await change(open, path, nothing)).toMatchObject({
      ...nothing,
      disabled: false,
      tags: [],
      metadata: {},
    })
  })

  it.each([
    [{ models: 'gpt' }, 'models'],
    [{ models: [''] }, 'models[0]'],
    [{ models: ['a'.repeat(257)] }, 'models[0]'],
    [{ endpoints: ['createEverything'] }, 'endpoints'],
    [{ endpoints: ['generateKey'] }, 'endpoints'],
    [{ ip_ranges: ['10.0.0.0/33'] }, 'ip_ranges[0]'],
    [{ ip_ranges: ['10.1'] }, 'ip_ranges[0]'],
    [{ ip_ranges: ['example.com'] }, 'ip_ranges[0]'],
    [{ max_budget: -1 }, 'max_budget'],
    [{ max_budget: '1e3' }, 'max_budget'],
    [{ max_budget: 0.0000000001 }, 'max_budget'],
    [{ budget_period: 'day' }, 'budget_period'],
    [{ max_budget: 1, budget_period: 'week' }, 'budget_period'],
    [{ max_parallel_requests: 0 }, 'max_parallel_requests'],
    [{ tags: ['a', 'a'] }, 'tags'],
    [{ metadata: { a: 1 } }, 'metadata.a'],
    [{ expires_at: 'tomorrow' }, 'expires_at'],
    [{ expires_at: '2027-01-01', expires_in_days: 2 }, 'expires_at'],
    [{ disabled: 'yes' }, 'disabled'],
    [{ spend: 1 }, 'spend'],
  ])('returns 400 for %j', async (body, param) => {
    const open = openGateway()
    const response = await open.send('/v1/auth/generate-key', { as: ADMIN, body: { username: 'ada', ...body } })
    await expectFailure(response, 400, { param })
    expect(await open.repositories.apiKeys.list({ limit: 10 })).toEqual([])
  })

  it.each([
    [{ max_budget: 1e-7 }, '0.0000001'],
    [{ max_budget: 1.5e-7 }, '0.00000015'],
    [{ max_budget: '9007199.254740991' }, '9007199.254740991'],
  ])('accepts the amount of %j', async (body, expected) => {
    expect(await issue(openGateway(), body)).toMatchObject({ max_budget: expected })
  })

  it.each([
    [{ max_budget: 1e-10 }, 'at most 9 decimals'],
    [{ max_budget: 10_000_000 }, 'at most 9007199.254740991'],
    [{ max_budget: '10000000' }, 'at most 9007199.254740991'],
    [{ max_budget: 1e30 }, 'at most 9007199.254740991'],
    [{ max_budget: null, budget_period: 'day' }, "needs an amount in 'max_budget'"],
    [{ expires_at: '2026-01-02T03:04:05Z' }, 'in the future'],
    [{ endpoints: ['nothing'] }, 'createChatCompletion, createResponse, '],
  ])('returns 400 with the reason for %j', async (body, reason) => {
    const open = openGateway()
    const response = await open.send('/v1/auth/generate-key', { as: ADMIN, body: { username: 'ada', ...body } })
    await expectFailure(response, 400, { message: expect.stringContaining(reason) })
  })

  it('changes the period of a budget alone, where there is an amount', async () => {
    const open = openGateway()
    const patch = (path: string, body: unknown) => open.send(path, { as: ADMIN, method: 'PATCH', body })
    const { key_id } = await issue(open, { max_budget: 5 })
    const team = await (await open.send('/v1/teams', { as: ADMIN, body: { name: 'red', max_budget: 5 } })).json()
    const user = await (await open.send('/v1/users', { as: ADMIN, body: { username: 'ada', max_budget: 5 } })).json()
    for (const path of [`/v1/auth/keys/${key_id}`, `/v1/teams/${team.team_id}`, `/v1/users/${user.user_id}`]) {
      const changed = await change(open, path, { budget_period: 'day' })
      expect(changed).toMatchObject({ max_budget: '5', budget_period: 'day' })
      const both = await patch(path, { max_budget: null, budget_period: 'day' })
      const message = expect.stringContaining("while 'max_budget' is removed")
      await expectFailure(both, 400, { param: 'budget_period', message })
      await change(open, path, { max_budget: null })
      await expectFailure(await patch(path, { budget_period: 'day' }), 400, { param: 'budget_period' })
      await expectFailure(await patch(path, []), 400, { message: 'Invalid request body: must be an object.' })
    }
  })

  it('validates a key as not valid from an address that its rules refuse', async () => {
    const open = openGateway()
    const { api_key: as } = await issue(open, { ip_ranges: ['10.0.0.0/8'] })
    const validate = async (remoteAddress: string) =>
      (await open.send('/v1/auth/validate', { as, remoteAddress })).json()
    expect(await validate('10.1.1.1')).toMatchObject({ valid: true })
    expect(await validate('11.1.1.1')).toEqual({ valid: false, error: 'API key cannot be used from this address' })
  })

  it('refuses a disabled key, until it is enabled again', async () => {
    const open = openGateway()
    const { api_key: secret, key_id: id } = await issue(open)
    await change(open, `/v1/auth/keys/${id}`, { disabled: true })
    await expectFailure(await open.send('/v1/models', { as: secret }), 403, { code: 'api_key_disabled' })
    expect(await (await open.send('/v1/auth/validate', { as: secret })).json()).toEqual({
      valid: false,
      error: 'API key is inactive',
    })
    await change(open, `/v1/auth/keys/${id}`, { disabled: false })
    expect((await open.send('/v1/models', { as: secret })).status).toBe(200)
  })

  it('moves the expiry', async () => {
    const open = openGateway()
    const { api_key: secret, key_id: id } = await issue(open, { expires_in_days: 1 })
    open.time += 2 * 86_400_000
    expect((await open.send('/v1/models', { as: secret })).status).toBe(401)
    await change(open, `/v1/auth/keys/${id}`, { expires_at: '2027-01-01' })
    expect((await open.send('/v1/models', { as: secret })).status).toBe(200)
  })

  it('admits only the named operations, beside what reports its own limits', async () => {
    const open = openGateway()
    const { api_key: secret } = await issue(open, { endpoints: ['listModels'] })
    expect((await open.send('/v1/models', { as: secret })).status).toBe(200)
    expect((await open.send('/v1/auth/me', { as: secret })).status).toBe(200)
    await expectFailure(await open.send(CHAT, { as: secret, body: chat('up/big') }), 403, {
      code: 'endpoint_not_allowed',
    })
    const messages = await open.send('/v1/messages', { as: secret, body: { ...chat('up/big'), max_tokens: 5 } })
    await expectMessageFailure(messages, 403, 'permission_error')
    expect(open.records).toEqual([])
  })

  it('admits no operation of keys with an empty list', async () => {
    const open = openGateway()
    const { api_key: secret } = await issue(open, { endpoints: [] })
    for (const { method, path } of Object.values(gatewayContract)) {
      if (path === '/v1/auth/me' || path === '/health' || path.includes('image_id') || path.endsWith('validate'))
        continue
      const response = await open.send(path.replace(/\{\w+\+?\}/g, 'x'), {
        as: secret,
        method,
        ...(method === 'GET' || method === 'DELETE' ? {} : { body: {} }),
      })
      expect([path, response.status]).toEqual([path, 403])
    }
  })

  it.each([
    ['10.1.2.3', true],
    ['::ffff:10.1.2.3', true],
    ['11.1.2.3', false],
    ['2001:db8::1', true],
    ['2001:db9::1', false],
    ['fe80::1%eth0', false],
    [undefined, false],
  ])('decides about a client at %s: %s', async (remoteAddress, isAdmitted) => {
    const open = openGateway()
    const { api_key: secret } = await issue(open, { ip_ranges: ['10.0.0.0/8', '2001:db8::/32'] })
    const response = await open.send('/v1/models', { as: secret, remoteAddress })
    if (isAdmitted) expect(response.status).toBe(200)
    else await expectFailure(response, 403, { code: 'address_not_allowed' })
  })
})

describe('models of a key', () => {
  it.each([
    [{ models: ['up/*'] }, 'up/big', true],
    [{ models: ['up/big'] }, 'up/big', true],
    [{ models: ['up/big'] }, 'big', true],
    [{ models: ['big'] }, 'big', true],
    [{ models: ['smart'] }, 'smart', true],
    [{ models: ['smart'] }, 'up/big', false],
    [{ models: [] }, 'up/big', false],
    [{ models: ['other/*'] }, 'smart', false],
    [{ denied_models: ['up/big'] }, 'smart', false],
    [{ denied_models: ['smart'] }, 'smart', false],
    [{ denied_models: ['big'] }, 'up/big', false],
    [{ denied_models: ['big'] }, 'smart', false],
    [{ denied_models: ['b*'] }, 'smart', false],
    [{ denied_models: ['pro'] }, 'up/vendor/pro', false],
    [{ denied_models: ['vendor/*'] }, 'up/vendor/pro', false],
    [{ denied_models: ['ig'] }, 'up/big', true],
    [{ models: ['b*'] }, 'up/big', true],
    [{ models: ['big'] }, 'smart', true],
    [{ models: ['vendor/pro'] }, 'up/vendor/pro', false],
    [{ models: ['pro'] }, 'up/vendor/pro', false],
    [{ models: ['ab*'] }, 'up/absent', 'absent'],
    [{ denied_models: ['smart'] }, 'up/big', true],
    [{ models: ['*'], denied_models: ['*big'] }, 'up/big', false],
    [{ models: ['up/*'] }, 'up/absent', 'absent'],
    [{ models: ['up/big'] }, 'up/absent', false],
  ])('allows or refuses, with %j, the model %s: %s', async (rules, model, expected) => {
    const providers = [fakeProvider({ models: ['big', 'vendor/pro'] })]
    const open = openGateway({ models: { smart: 'up/big' }, providers })
    const { api_key: secret } = await issue(open, rules)
    const response = await open.send(CHAT, { as: secret, body: chat(model) })
    if (expected === true) expect(response.status).toBe(200)
    else if (expected === 'absent') await expectFailure(response, 404, { code: 'model_not_found' })
    else await expectFailure(response, 403, { param: 'model', code: 'model_not_allowed' })
    expect(open.records).toHaveLength(expected === true ? 1 : 0)
  })

  it.each([
    ['/v1/responses', { model: 'up/big', input: 'Hi' }],
    ['/v1/completions', { model: 'up/big', prompt: 'Hi' }],
    ['/v1/embeddings', { model: 'up/big', input: 'Hi' }],
    ['/v1/moderations', { model: 'up/big', input: 'Hi' }],
    ['/v1/rerank', { model: 'up/big', query: 'a', documents: ['b'] }],
    ['/v1/audio/speech', { model: 'up/big', input: 'a', voice: 'b' }],
    ['/v1/images/generations', { model: 'up/paint', prompt: 'a' }],
  ])('refuses %s', async (path, body) => {
    const open = openGateway()
    const { api_key: secret } = await issue(open, { models: ['other/*'] })
    await expectFailure(await open.send(path, { as: secret, body }), 403, { param: 'model', code: 'model_not_allowed' })
  })

  it.each(['/v1/messages', '/v1/messages/count_tokens'])('refuses %s in the shape of its clients', async (path) => {
    const open = openGateway()
    const { api_key: secret } = await issue(open, { models: ['other/*'] })
    const body = { ...chat('up/big'), ...(path.endsWith('s') && !path.endsWith('tokens') ? { max_tokens: 9 } : {}) }
    await expectMessageFailure(await open.send(path, { as: secret, body }), 403, 'permission_error')
  })

  it.each([
    [{ models: ['b*'] }, ['smart', 'up/big']],
    [{ models: ['up/big'] }, ['smart', 'up/big']],
    [{ models: ['smart'] }, ['smart']],
    [{ denied_models: ['big'] }, ['up/paint']],
    [{ denied_models: ['up/big'] }, ['up/paint']],
    [{ denied_models: ['smart'] }, ['up/big', 'up/paint']],
  ])('lists with %j those that requests may use: %j', async (rules, expected) => {
    const open = openGateway({ models: { smart: 'up/big' }, providers: [fakeProvider({ models: ['big', 'paint'] })] })
    const { api_key: secret } = await issue(open, rules)
    const { data } = await (await open.send('/v1/models', { as: secret })).json()
    expect(data.map(({ id }: { id: string }) => id)).toEqual(expected)
    for (const model of ['smart', 'up/big', 'up/paint']) {
      const { status } = await open.send(CHAT, { as: secret, body: chat(model) })
      expect([model, status === 403]).toEqual([model, !expected.includes(model)])
    }
  })

  it('lists and reads only those that are allowed', async () => {
    const open = openGateway({ models: { smart: 'up/big' }, providers: [fakeProvider({ models: ['big', 'paint'] })] })
    const { api_key: secret } = await issue(open, { models: ['smart', 'up/p*'] })
    const ids = async (headers = {}) => {
      const { data } = await (await open.send('/v1/models', { as: secret, headers })).json()
      return data.map(({ id }: { id: string }) => id)
    }
    expect(await ids()).toEqual(['smart', 'up/paint'])
    expect(await ids({ 'anthropic-version': '2023-06-01' })).toEqual(['smart', 'up/paint'])
    expect((await open.send('/v1/models/smart', { as: secret })).status).toBe(200)
    await expectFailure(await open.send('/v1/models/up/big', { as: secret }), 403, { code: 'model_not_allowed' })
  })
})
