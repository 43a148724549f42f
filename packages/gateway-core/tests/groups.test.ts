import { describe, expect, it } from 'vitest'
import { delta, fakeProvider, finish, LiveStream } from './fake-provider.ts'
import { ADMIN, expectFailure, type OpenGateway, openGateway } from './open-gateway.ts'

const CHAT = '/v1/chat/completions'
const body = { model: 'up/big', messages: [{ role: 'user', content: 'Hi' }] }

const create = async (open: OpenGateway, path: string, fields: object) => {
  const response = await open.send(path, { as: ADMIN, body: fields })
  expect(response.status).toBe(200)
  return response.json()
}
const chatOf = (open: OpenGateway, as: string) => open.send(CHAT, { as, body })
const issue = (open: OpenGateway, fields: object) =>
  create(open, '/v1/auth/generate-key', { username: 'ada', rate_limit: 1000, ...fields })
const patch = (open: OpenGateway, path: string, fields: object) =>
  open.send(path, { as: ADMIN, method: 'PATCH', body: fields })

const terms = {
  rate_limit: 5,
  tokens_per_minute: 6,
  tokens_per_day: 7,
  max_budget: '0.5',
  budget_period: 'day',
  max_parallel_requests: 8,
  models: ['up/*'],
  denied_models: [],
  endpoints: ['createChatCompletion'],
  ip_ranges: ['0.0.0.0/0'],
  disabled: false,
  tags: ['blue'],
  metadata: { a: 'b' },
}

const unused = {
  tokens_used_minute: 0,
  tokens_used_day: 0,
  spent: '0',
  remaining_budget: '0.5',
  running_requests: 0,
}

it('finds a user by the username, in exactly this case', async () => {
  const open = openGateway()
  await create(open, '/v1/users', { username: 'bob' })
  const ada = await create(open, '/v1/users', { username: 'ada' })
  const found = async (username: string) => (await open.send(`/v1/users?username=${username}`, { as: ADMIN })).json()
  expect(await found('ada')).toEqual({ object: 'list', data: [ada], has_more: false, last_id: ada.user_id })
  expect(await found('Ada')).toEqual({ object: 'list', data: [], has_more: false, last_id: null })
  const long = await open.send(`/v1/users?username=${'a'.repeat(129)}`, { as: ADMIN })
  await expectFailure(long, 400, { param: 'username' })
})

describe.each([
  { path: '/v1/teams', id: 'team_id', name: 'name', code: 'team' },
  { path: '/v1/users', id: 'user_id', name: 'username', code: 'user' },
])('$path', ({ path, id, name, code }) => {
  it('creates, reads, changes, lists and deletes', async () => {
    const open = openGateway()
    const created = await create(open, path, { [name]: ' ada ', ...terms })
    expect(created).toMatchObject({ [name]: 'ada', ...terms, created_at: '2026-01-02T03:04:05.000Z' })
    const own = `${path}/${created[id]}`
    expect(await (await open.send(own, { as: ADMIN })).json()).toEqual({ ...created, ...unused })
    const changed = await (await patch(open, own, { rate_limit: null, tags: null, max_budget: 1 })).json()
    expect(changed).toEqual({ ...created, rate_limit: null, tags: [], max_budget: '1' })
    open.time += 1
    await create(open, path, { [name]: 'bob' })
    const first = await (await open.send(`${path}?limit=1`, { as: ADMIN })).json()
    expect(first).toMatchObject({ object: 'list', data: [changed], has_more: true, last_id: created[id] })
    const rest = await (await open.send(`${path}?after=${created[id]}`, { as: ADMIN })).json()
    expect(rest).toMatchObject({ data: [{ [name]: 'bob' }], has_more: false })
    expect((await open.send(own, { as: ADMIN, method: 'DELETE' })).status).toBe(200)
    await expectFailure(await open.send(own, { as: ADMIN }), 404, { param: id, code: `${code}_not_found` })
  })

  it('returns 400 for a page after one that was deleted, and an empty one after the last', async () => {
    const open = openGateway()
    const one = await create(open, path, { [name]: 'one' })
    open.time += 1
    const two = await create(open, path, { [name]: 'two' })
    const pageAfter = (cursor: string) => open.send(`${path}?after=${cursor}`, { as: ADMIN })
    expect(await (await pageAfter(two[id])).json()).toMatchObject({ data: [], has_more: false, last_id: null })
    await open.send(`${path}/${one[id]}`, { as: ADMIN, method: 'DELETE' })
    const deleted = await pageAfter(one[id])
    await expectFailure(deleted, 400, { param: 'after', code: 'invalid_value' })
  })

  it('returns 409 for a name that exists', async () => {
    const open = openGateway()
    await create(open, path, { [name]: 'ada' })
    const again = await open.send(path, { as: ADMIN, body: { [name]: 'ada' } })
    await expectFailure(again, 409, { param: name, code: 'name_taken' })
  })

  it('returns 404 for one that does not exist, and 400 for an unknown field', async () => {
    const open = openGateway()
    await expectFailure(await patch(open, `${path}/none`, {}), 404, { param: id })
    await expectFailure(await open.send(`${path}/none`, { as: ADMIN, method: 'DELETE' }), 404, { param: id })
    await expectFailure(await open.send(path, { as: ADMIN, body: { [name]: 'x', spend: 1 } }), 400, { param: 'spend' })
  })

  it('returns 409 for the deletion of one with usable keys, which would lose its limits', async () => {
    const open = openGateway()
    const group = await create(open, path, { [name]: 'ada' })
    const key = await issue(open, code === 'team' ? { team_id: group[id] } : {})
    const remove = () => open.send(`${path}/${group[id]}`, { as: ADMIN, method: 'DELETE' })
    await expectFailure(await remove(), 409, { param: id, code: `${code}_in_use` })
    await open.send(`/v1/auth/keys/${key.key_id}`, { as: ADMIN, method: 'DELETE' })
    expect((await remove()).status).toBe(200)
  })

  it('returns 400 where the repositories of the host store none', async () => {
    const open = openGateway({ withoutGroups: true })
    await expectFailure(await open.send(path, { as: ADMIN }), 400, { code: 'groups_not_stored' })
    expect((await issue(open, {})).team_id).toBeNull()
  })
})

describe('keys of a team and a user', () => {
  const governed = async (team: object, user: object = {}) => {
    const open = openGateway()
    const { team_id, ...others } = await create(open, '/v1/teams', { name: 'red', ...team })
    const { user_id } = await create(open, '/v1/users', { username: 'ada', ...user })
    const one = await issue(open, { team_id })
    const two = await issue(open, { team_id, username: 'bob' })
    const three = await issue(open, {})
    return { open, team_id, user_id, others, one: one.api_key, two: two.api_key, three: three.api_key }
  }
  const chat = (open: OpenGateway, as: string) => open.send(CHAT, { as, body })

  it('share the rate limit of the team, and of the user', async () => {
    const { open, one, two, three } = await governed({ rate_limit: 3 }, { rate_limit: 4 })
    for (const as of [one, two, one]) expect((await chat(open, as)).status).toBe(200)
    const refused = await chat(open, two)
    expect(refused.headers.get('x-ratelimit-limit')).toBe('3')
    await expectFailure(refused, 429, { code: 'rate_limit_exceeded' })
    for (const as of [three, three]) expect((await chat(open, as)).status).toBe(200)
    await expectFailure(await chat(open, three), 429, { code: 'rate_limit_exceeded' })
    open.time += 60_000
    for (const as of [one, two, three]) expect((await chat(open, as)).status).toBe(200)
  })

  it('report the tightest limit in the headers', async () => {
    const { open, one } = await governed({ rate_limit: 30 }, { rate_limit: 20 })
    expect((await chat(open, one)).headers.get('x-ratelimit-remaining')).toBe('19')
  })

  it('count no further requests on the key while the team refuses them', async () => {
    const { open, one, two } = await governed({ rate_limit: 1 })
    await chat(open, two)
    for (let index = 0; index < 5; index += 1) expect((await chat(open, one)).status).toBe(429)
    const me = await (await open.send('/v1/auth/me', { as: one })).json()
    expect(me.remaining).toBe(999)
  })

  it('need the permission of the rules of all three', async () => {
    const { open, team_id, user_id, one, three } = await governed({ models: ['up/*'] }, { denied_models: ['other/*'] })
    expect((await chat(open, one)).status).toBe(200)
    await patch(open, `/v1/users/${user_id}`, { denied_models: ['up/b*'] })
    await expectFailure(await chat(open, three), 403, { code: 'model_not_allowed' })
    await patch(open, `/v1/users/${user_id}`, { denied_models: null })
    await patch(open, `/v1/teams/${team_id}`, { models: [] })
    await expectFailure(await chat(open, one), 403, { code: 'model_not_allowed' })
    expect((await chat(open, three)).status).toBe(200)
    await patch(open, `/v1/teams/${team_id}`, { models: null, endpoints: [] })
    await expectFailure(await chat(open, one), 403, { code: 'endpoint_not_allowed' })
    await patch(open, `/v1/teams/${team_id}`, { endpoints: null, disabled: true })
    await expectFailure(await chat(open, one), 403, { code: 'api_key_disabled' })
  })

  it('get 403 once their team no longer exists', async () => {
    const { open, team_id, one } = await governed({})
    await open.repositories.groups?.remove('team', team_id)
    const fresh = openGateway({ repositories: open.repositories })
    await expectFailure(await chat(fresh, one), 403, { code: 'team_not_found' })
  })

  it('move between teams', async () => {
    const { open, team_id, one } = await governed({ rate_limit: 1 })
    await chat(open, one)
    expect((await chat(open, one)).status).toBe(429)
    const { data } = await (await open.send(`/v1/auth/keys?team_id=${team_id}`, { as: ADMIN })).json()
    expect(data).toHaveLength(2)
    const { key_id } = data.find(({ username }: { username: string }) => username === 'ada')
    await patch(open, `/v1/auth/keys/${key_id}`, { team_id: null })
    expect((await chat(open, one)).status).toBe(200)
    const absent = await patch(open, `/v1/auth/keys/${key_id}`, { team_id: 'none' })
    await expectFailure(absent, 404, { param: 'team_id', code: 'team_not_found' })
  })

  it('report their own rules, and those of the team and the user, to their holder', async () => {
    const { open, team_id, user_id, one } = await governed({ tags: ['t'] }, { rate_limit: 9 })
    const me = await (await open.send('/v1/auth/me', { as: one })).json()
    expect(me).toMatchObject({
      models: null,
      disabled: false,
      team: { team_id, name: 'red', tags: ['t'] },
      user: { user_id, username: 'ada', rate_limit: 9 },
    })
  })
})

describe('requests at the same time', () => {
  it('get 429 beyond the limit of the key or its team, and 200 once another has ended', async () => {
    const streams = [new LiveStream(), new LiveStream()]
    let next = 0
    const stream = () => {
      next += 1
      return streams[next - 1]?.stream ?? Promise.reject(new Error('too many streams'))
    }
    const open = openGateway({ providers: [fakeProvider({ stream })] })
    const { team_id } = await create(open, '/v1/teams', { name: 'red', max_parallel_requests: 2 })
    const one = (await issue(open, { team_id, max_parallel_requests: 1 })).api_key
    const two = (await issue(open, { team_id })).api_key
    const running = await Promise.all(
      [one, two].map(async (as, index) => {
        const answer = open.send(CHAT, { as, body: { ...body, stream: true } })
        await streams[index]?.started
        streams[index]?.send(delta('Hi'))
        return answer
      }),
    )
    const ofKey = await open.send(CHAT, { as: one, body })
    expect(ofKey.headers.get('retry-after')).toBe('1')
    const message = expect.stringContaining('This API key has 1 running')
    await expectFailure(ofKey, 429, { type: 'requests', code: 'too_many_parallel_requests', message })
    const ofTeam = await open.send(CHAT, { as: two, body })
    await expectFailure(ofTeam, 429, { message: expect.stringContaining('The team of this API key has 2 running') })
    for (const live of streams) {
      live.send(finish, '[DONE]')
      live.end()
    }
    for (const answer of running) await answer.text()
    await open.gateway.budgets.flush()
    expect((await open.send(CHAT, { as: one, body })).status).toBe(200)
  })
})

describe('generate-key', () => {
  it('issues a key for a user by its id', async () => {
    const open = openGateway()
    const { user_id } = await create(open, '/v1/users', { username: 'grace' })
    const issued = await create(open, '/v1/auth/generate-key', { user_id })
    expect(issued).toMatchObject({ username: 'grace', user_id })
    const mismatched = await open.send('/v1/auth/generate-key', { as: ADMIN, body: { user_id, username: 'ada' } })
    await expectFailure(mismatched, 400, { param: 'username' })
    const absent = await open.send('/v1/auth/generate-key', { as: ADMIN, body: { user_id: 'none' } })
    await expectFailure(absent, 404, { param: 'user_id', code: 'user_not_found' })
    const team = await open.send('/v1/auth/generate-key', { as: ADMIN, body: { username: 'a', team_id: 'none' } })
    await expectFailure(team, 404, { param: 'team_id', code: 'team_not_found' })
  })
})

describe('usernames and names of teams', () => {
  it('usernames and names of teams have one form, so that no two look alike', async () => {
    const open = openGateway()
    const { user_id } = await create(open, '/v1/users', { username: 'fine' })
    expect(await issue(open, { username: '\ufb01ne\u00a0' })).toMatchObject({ username: 'fine', user_id })
    const again = await open.send('/v1/users', { as: ADMIN, body: { username: '\uff46ine' } })
    await expectFailure(again, 409, { code: 'name_taken' })
    expect(await create(open, '/v1/teams', { name: '\uff32ed' })).toMatchObject({ name: 'Red' })
  })

  it.each([
    'a\u200bda',
    'ada\u202e',
    '\ufeffada\u2060',
    'a\u00adda',
  ])('refuses a name with invisible characters: %j', async (name) => {
    const open = openGateway()
    for (const [path, fields] of [
      ['/v1/users', { username: name }],
      ['/v1/teams', { name }],
      ['/v1/auth/generate-key', { username: name }],
    ] as const) {
      await expectFailure(await open.send(path, { as: ADMIN, body: fields }), 400, { code: 'invalid_value' })
    }
    expect(() => open.gateway.apiKeys.generate({ username: name })).toThrow(RangeError)
    expect(() => open.gateway.groups.create({ kind: 'user', name: '\uff46ine' })).toThrow('NFKC')
  })
})

describe('owner of a team', () => {
  const owned = async () => {
    const open = openGateway()
    const { user_id } = await create(open, '/v1/users', { username: 'ada' })
    await create(open, '/v1/users', { username: 'bob' })
    const { team_id } = await create(open, '/v1/teams', { name: 'red', owners: [user_id] })
    const { team_id: other } = await create(open, '/v1/teams', { name: 'blue', owners: [user_id] })
    const owner = (await issue(open, { team_id })).api_key
    const outsider = await issue(open, { username: 'bob', team_id: other })
    const send = (path: string, method: string, fields?: object) =>
      open.send(path, { as: owner, method, ...(fields ? { body: fields } : {}) })
    return { open, team_id, other, owner, outsider, send }
  }

  it('issues, lists, reads, changes, rotates and revokes keys of the team', async () => {
    const { team_id, send } = await owned()
    const issued = await (await send('/v1/auth/generate-key', 'POST', { username: 'carol', rate_limit: 3 })).json()
    expect(issued).toMatchObject({ username: 'carol', team_id, rate_limit: 3 })
    const path = `/v1/auth/keys/${issued.key_id}`
    const { data } = await (await send('/v1/auth/keys', 'GET')).json()
    expect(data.map(({ username }: { username: string }) => username).sort()).toEqual(['ada', 'carol'])
    expect((await send(path, 'GET')).status).toBe(200)
    expect(await (await send(path, 'PATCH', { rate_limit: 4 })).json()).toMatchObject({ rate_limit: 4, team_id })
    expect((await send(`${path}/rotate`, 'POST')).status).toBe(200)
    expect((await send(path, 'DELETE')).status).toBe(200)
    expect(await (await send(`/v1/teams/${team_id}`, 'GET')).json()).toMatchObject({ name: 'red' })
  })

  it('reads the usage of the team, by key, but not that of others', async () => {
    const { open, team_id, other, outsider, send } = await owned()
    const member = await issue(open, { username: 'carol', name: 'laptop', team_id })
    const loner = await issue(open, { username: 'carol' })
    for (const { api_key } of [member, loner, outsider]) expect((await chatOf(open, api_key)).status).toBe(200)
    open.time += 1
    const usage = async (query: string) => send(`/v1/usage?group_by=key&${query}`, 'GET')
    const { data } = await (await usage(`team_id=${team_id}`)).json()
    expect(data).toEqual([
      expect.objectContaining({ key_id: member.key_id, key_name: 'laptop', username: 'carol', requests: 1 }),
    ])
    const one = await usage(`team_id=${team_id}&key_id=${member.key_id}`)
    expect((await one.json()).data).toHaveLength(1)
    const none = await usage(`team_id=${team_id}&key_id=${loner.key_id}`)
    expect((await none.json()).data).toEqual([])
    expect((await (await usage(`team_id=${other}`)).json()).data).toEqual([])
    await expectFailure(await usage(`key_id=${member.key_id}`), 403, { param: 'key_id' })
    const asMember = await open.send(`/v1/usage?team_id=${team_id}&key_id=${outsider.key_id}`, { as: member.api_key })
    await expectFailure(asMember, 403, { param: 'key_id' })
  })

  it('accepts an owner by its username or its id', async () => {
    const open = openGateway()
    const { user_id } = await issue(open, {})
    const team = await create(open, '/v1/teams', { name: 'red', owners: ['ada', user_id, 'bob'] })
    expect(team.owners).toEqual([user_id, (await issue(open, { username: 'bob' })).user_id])
    const changed = await patch(open, `/v1/teams/${team.team_id}`, { owners: ['ada'] })
    expect(await changed.json()).toMatchObject({ owners: [user_id] })
    const { api_key: owner } = await issue(open, { team_id: team.team_id })
    expect((await open.send('/v1/auth/keys', { as: owner })).status).toBe(200)
  })

  it('reaches nothing outside the team', async () => {
    const { open, team_id, other, outsider, send } = await owned()
    const path = `/v1/auth/keys/${outsider.key_id}`
    for (const [on, method, fields] of [
      [path, 'GET'],
      [path, 'PATCH', { rate_limit: 1 }],
      [`${path}/rotate`, 'POST'],
      [path, 'DELETE'],
    ] as const) {
      await expectFailure(await send(on, method, fields), 404, { code: 'api_key_not_found' })
    }
    const { data } = await (await send('/v1/auth/keys', 'GET')).json()
    const moved = await send(`/v1/auth/keys/${data[0].key_id}`, 'PATCH', { team_id: null })
    await expectFailure(moved, 403, { param: 'team_id', code: 'not_in_team' })
    for (const team of [other, 'none']) {
      const issued = await send('/v1/auth/generate-key', 'POST', { username: 'carol', team_id: team })
      await expectFailure(issued, 403, { param: 'team_id', code: 'not_in_team' })
      await expectFailure(await send(`/v1/auth/keys?team_id=${team}`, 'GET'), 403, { param: 'team_id' })
      await expectFailure(await send(`/v1/teams/${team}`, 'GET'), 404, { code: 'team_not_found' })
    }
    const forUser = await send('/v1/auth/generate-key', 'POST', { username: 'bob' })
    await expectFailure(forUser, 403, { param: 'username', code: 'not_in_team' })
    await issue(open, { username: 'bob', team_id })
    expect((await send('/v1/auth/generate-key', 'POST', { username: 'bob' })).status).toBe(200)
    for (const [on, method, fields] of [
      ['/v1/teams', 'GET'],
      ['/v1/teams', 'POST', { name: 'x' }],
      [`/v1/teams/${team_id}`, 'PATCH', { rate_limit: null }],
      [`/v1/teams/${team_id}`, 'DELETE'],
      ['/v1/users', 'GET'],
      ['/v1/users', 'POST', { username: 'x' }],
    ] as const) {
      await expectFailure(await send(on, method, fields), 403, { code: 'admin_required' })
    }
  })

  it('issues no key for a user whose only key of the team was revoked or has expired', async () => {
    const { open, team_id, send } = await owned()
    const bait = await (await send('/v1/auth/generate-key', 'POST', { username: 'dan' })).json()
    await send(`/v1/auth/keys/${bait.key_id}`, 'DELETE')
    await create(open, '/v1/users', { username: 'dan', max_budget: '5' })
    const fields = { username: 'dan' }
    await expectFailure(await send('/v1/auth/generate-key', 'POST', fields), 403, { code: 'not_in_team' })
    await issue(open, { username: 'dan', team_id, expires_in_days: 1 })
    expect((await send('/v1/auth/generate-key', 'POST', fields)).status).toBe(200)
    open.time += 86_400_000
    const { data } = await (await send('/v1/auth/keys', 'GET')).json()
    for (const { key_id, username, expires_at } of data) {
      if (username === 'dan' && expires_at === null) await send(`/v1/auth/keys/${key_id}`, 'DELETE')
    }
    await expectFailure(await send('/v1/auth/generate-key', 'POST', fields), 403, { code: 'not_in_team' })
  })

  it('reports no usernames of users outside the team to an owner', async () => {
    const { outsider, send } = await owned()
    const asked = await send('/v1/auth/generate-key', 'POST', { username: 'guess', user_id: outsider.user_id })
    await expectFailure(asked.clone(), 403, { code: 'not_in_team' })
    expect(await asked.text()).not.toContain('bob')
  })

  it('loses its rights with its place among the owners', async () => {
    const { open, team_id, send } = await owned()
    await patch(open, `/v1/teams/${team_id}`, { owners: [] })
    await expectFailure(await send('/v1/auth/keys', 'GET'), 403, { code: 'admin_required' })
  })
})
