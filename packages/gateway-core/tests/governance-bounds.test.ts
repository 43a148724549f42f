import { describe, expect, it } from 'vitest'
import { ADMIN, expectFailure, openGateway } from './open-gateway.ts'

const texts = (count: number, text: string) => Array.from({ length: count }, (_, index) => `${text}${index}`)
const entries = (count: number, text: string) => Object.fromEntries(texts(count, '').map((name) => [name, text]))

/** About 25 KB of terms, which is allowed. */
const heavy = {
  models: texts(32, 'm'.repeat(250)),
  denied_models: texts(32, 'd'.repeat(250)),
  metadata: entries(16, 'x'.repeat(512)),
}

describe.each(['/v1/auth/generate-key', '/v1/teams', '/v1/users'])('POST %s', (path) => {
  it.each([
    ['a pattern with many stars', 'models', ['*a*b*c*d*e*f*g*h*'], "Invalid 'models[0]': must have at most 8 stars."],
    ['stars only', 'denied_models', ['*'.repeat(9)], "Invalid 'denied_models[0]': must have at most 8 stars."],
    [
      'long patterns',
      'models',
      texts(12, '€'.repeat(250)),
      "Invalid 'models': must have at most 8192 bytes in all its patterns.",
    ],
    [
      'long texts',
      'metadata',
      entries(16, '€'.repeat(300)),
      "Invalid 'metadata': must have at most 10240 bytes in all its names and texts.",
    ],
  ])('refuses %s', async (_, field, value, message) => {
    const open = openGateway()
    const body = { [path === '/v1/teams' ? 'name' : 'username']: 'ada', [field]: value }
    const refused = await open.send(path, { as: ADMIN, body })
    const { error } = await refused.clone().json()
    expect(error.message).toBe(message)
    await expectFailure(refused, 400, { param: error.param, code: 'invalid_value' })
  })
})

describe.each([
  ['/v1/auth/keys', '/v1/auth/generate-key', 'username', 'key_id'],
  ['/v1/teams', '/v1/teams', 'name', 'team_id'],
])('GET %s', (path, create, name, id) => {
  it('ends a page where it has about 2 MB, and continues after it', async () => {
    const open = openGateway()
    for (let index = 0; index < 100; index += 1) {
      const created = await open.send(create, { as: ADMIN, body: { [name]: `name ${index}`, ...heavy } })
      expect(created.status).toBe(200)
      open.time += 1
    }
    const names: string[] = []
    const sizes: number[] = []
    for (let after: string | undefined = ''; after !== undefined; ) {
      const listed = await open.send(`${path}?limit=1000${after && `&after=${after}`}`, { as: ADMIN })
      const text = await listed.text()
      sizes.push(text.length)
      const page = JSON.parse(text)
      expect(page.last_id).toBe(page.data.at(-1)[id])
      for (const entry of page.data) names.push(entry[name])
      after = page.has_more ? page.last_id : undefined
    }
    expect(names).toEqual(Array.from({ length: 100 }, (_, index) => `name ${index}`))
    expect(sizes.length).toBeGreaterThan(1)
    expect(Math.max(...sizes)).toBeLessThan(2_200_000)
  })
})

it('a page of keys has more than one piece of the store, and its limit exactly', async () => {
  const open = openGateway()
  for (let index = 0; index < 205; index += 1) await open.key()
  const count = async (limit: number) => {
    const { data, has_more } = await (await open.send(`/v1/auth/keys?limit=${limit}`, { as: ADMIN })).json()
    return [data.length, has_more]
  }
  expect(await count(101)).toEqual([101, true])
  expect(await count(204)).toEqual([204, true])
  expect(await count(205)).toEqual([205, false])
  expect(await count(1000)).toEqual([205, false])
})

describe('the keys of a team', () => {
  it('reach at most `maxTeamKeys` that can be used, and ten times as many with those that ended', async () => {
    const open = openGateway({ apiKeys: { maxTeamKeys: 2 } })
    const created = await open.send('/v1/teams', { as: ADMIN, body: { name: 'red' } })
    const { team_id } = await created.json()
    const issue = (fields: object = { team_id }) =>
      open.send('/v1/auth/generate-key', { as: ADMIN, body: { username: 'ada', ...fields } })
    const idOf = async (issued: Response) => (await issued.json()).key_id
    const revoke = (id: string) => open.send(`/v1/auth/keys/${id}`, { as: ADMIN, method: 'DELETE' })
    const move = (id: string) => open.send(`/v1/auth/keys/${id}`, { as: ADMIN, method: 'PATCH', body: { team_id } })
    const full = { param: 'team_id', code: 'team_full' }
    const [first, other] = [await idOf(await issue()), await idOf(await issue({}))]
    expect((await issue({ team_id, expires_at: new Date(open.time + 1000).toISOString() })).status).toBe(200)
    await expectFailure(await issue(), 409, full)
    await expectFailure(await move(other), 409, full)
    expect((await move(first)).status).toBe(200)
    open.time += 1000
    expect((await move(other)).status).toBe(200)
    await revoke(other)
    for (let ended = 3; ended < 20; ended += 1) await revoke(await idOf(await issue()))
    await expectFailure(await issue(), 409, full)
    expect((await issue({})).status).toBe(200)
  })
})
