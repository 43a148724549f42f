import { simulatedVolume } from '@trivium/simulated-volumes'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { QuotaUsage, VolumeBackend } from '../src/volumes/volume-backend.ts'
import { VolumeRefusal } from '../src/volumes/volume-refusal.ts'
import { makeQtree, makeRule, type OpenHttp, openHttp, SELF_QUOTAS, SELF_TOKENS, switchQuota } from './open-http.ts'
import { MiB, until } from './open-storage.ts'

const makeToken = async (http: OpenHttp, user: unknown, more = {}): Promise<string> =>
  (await http.post(SELF_TOKENS, { user, ...more })).body.records[0].token

const as = (http: OpenHttp, token: string, path = SELF_QUOTAS) => http.get(path, { authorization: `Bearer ${token}` })

/** Two qtrees with limits: `shared` has files of sam and ann, `private` of smith. sam and smith share a rule. */
async function openWithQuotas(
  options: Parameters<typeof openHttp>[0] = {},
  routes: Parameters<typeof openHttp>[1] = {},
) {
  const http = await openHttp(options, routes)
  await makeQtree(http, 'shared')
  await makeQtree(http, 'private')
  const space = { hard_limit: 10 * MiB, soft_limit: 2 * MiB }
  await makeRule(http, { qtree: { name: 'shared' }, space, grace_period: 'P7D', files: { hard_limit: 100 } })
  await makeRule(http, { qtree: { name: 'private' }, space })
  const users = [{ name: 'sam' }, { name: 'smith' }]
  await makeRule(http, { type: 'user', users, qtree: undefined, space: { hard_limit: 50 * MiB } })
  await makeRule(http, { type: 'user', users: [{ name: 'ann' }], qtree: undefined, space: { hard_limit: 20 * MiB } })
  await switchQuota(http, true)
  http.volume.files.write('shared/a', { size: 3 * MiB, user: 'sam' })
  http.volume.files.write('shared/b', { size: MiB, user: 'ann' })
  http.volume.files.write('private/c', { size: MiB, user: 'smith' })
  return http
}

describe('the operation getSelfQuotas', () => {
  it('returns what the user uses and may use, since when, and who shares it', async () => {
    const http = await openWithQuotas()
    await until(() => http.emitted.some(([name]) => name === 'notice.published'))
    const { status, body, headers } = await as(http, await makeToken(http, { name: 'sam' }))
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body.user).toEqual({ id: '1001', name: 'sam' })
    expect(body).toMatchObject({
      num_records: 3,
      records: [
        {
          volume: { name: 'vol1' },
          type: 'tree',
          qtree: { name: 'shared' },
          space: {
            hard_limit: 10 * MiB,
            used: { total: 4 * MiB, hard_limit_percent: 40 },
            soft_limit_exceeded_time: '2026-01-02T03:04:05+00:00',
            grace: { period: 'P7D', left: 'P7D', expired: false },
          },
          files: { hard_limit: 100 },
          own: { space: { used: { total: 3 * MiB } }, files: { used: { total: 1 } } },
          shared_with: { num_users: 1, users: [{ id: '1003', name: 'ann', space: { used: { total: MiB } } }] },
        },
        {
          type: 'user',
          space: { hard_limit: 50 * MiB, used: { total: 4 * MiB } },
          shared_with: { num_users: 1, users: [{ id: '1002', name: 'smith' }] },
        },
        { type: 'user', qtree: { name: 'shared' }, space: { used: { total: 3 * MiB } }, shared_with: { num_users: 0 } },
      ],
    })
    expect(JSON.stringify(body)).not.toMatch(/private|warnings|_links/)
  })

  it('returns the same by the number of the user', async () => {
    const http = await openWithQuotas()
    const byName = await as(http, await makeToken(http, { name: 'ann' }))
    const byId = await as(http, await makeToken(http, { id: '1003' }))
    expect(byName.body.num_records).toBe(3)
    expect(byId.body).toEqual(byName.body)
  })

  it('finds a rule by the number where the rule has the name, also in another volume without files', async () => {
    const http = await openWithQuotas()
    const rule = { volume: { name: 'vol2' }, type: 'user', users: [{ name: 'ann' }], qtree: undefined }
    await makeRule(http, { ...rule, space: { hard_limit: MiB } })
    await http.patch(`/api/storage/volumes/${http.vol2.uuid}?return_timeout=60`, { 'quota.enabled': true })
    const { body } = await as(http, await makeToken(http, { id: '1003' }))
    expect(body.records.map(({ volume }: { volume: { name: string } }) => volume.name)).toEqual([
      'vol1',
      'vol1',
      'vol1',
      'vol2',
    ])
  })

  it('keeps users of two systems with one number apart', async () => {
    const http = await openHttp({
      volumes: [
        { name: 'homes', backend: simulatedVolume({ users: { ada: 1001 } }) },
        { name: 'secret', backend: simulatedVolume({ users: { bob: 1001, ada: 2001 } }) },
      ],
    })
    for (const [name, user] of [
      ['homes', 'ada'],
      ['secret', 'bob'],
    ] as const) {
      await makeRule(http, {
        volume: { name },
        type: 'user',
        users: [{ name: user }],
        qtree: undefined,
        space: { hard_limit: MiB },
      })
    }
    await http.patch('/api/storage/volumes?name=*&return_timeout=60', { quota: { enabled: true } })
    for (const [asked, volumes] of [
      ['ada', ['homes']],
      ['bob', ['secret']],
      ['2001', []],
    ] as const) {
      const { body } = await http.get(`${SELF_QUOTAS}?user=${asked}`)
      expect(body.records.map(({ volume }: { volume: { name: string } }) => volume.name)).toEqual(volumes)
    }
  })

  it('returns no record to a user whom no limit concerns', async () => {
    const http = await openWithQuotas()
    const { body } = await as(http, await makeToken(http, { name: 'mallory' }))
    expect(body).toEqual({ user: { name: 'mallory' }, records: [], num_records: 0 })
  })

  it('lets the admin name a user', async () => {
    const http = await openWithQuotas()
    expect((await http.get(`${SELF_QUOTAS}?user=ann`)).body.num_records).toBe(3)
    expect((await http.get(`${SELF_QUOTAS}?user=1003`)).body.num_records).toBe(3)
    expect((await http.get(`${SELF_QUOTAS}?user=01003`)).body.num_records).toBe(3)
    for (const query of ['', '?user=']) {
      const { status, body } = await http.get(`${SELF_QUOTAS}${query}`)
      expect([status, body.error.target]).toEqual([400, 'user'])
    }
    expect((await http.get(`${SELF_QUOTAS}?usr=ann`)).status).toBe(400)
    expect((await http.get(`${SELF_QUOTAS}?user=${'x'.repeat(129)}`)).status).toBe(400)
  })

  it('returns to a user of the host what is in the volumes of that user', async () => {
    const volumes: string[] = []
    const http = await openWithQuotas(
      {},
      {
        authorize: {
          getSelfQuotas: ({ headers }) =>
            headers['x-user'] === undefined
              ? 'default'
              : { type: 'user', id: String(headers['x-user']), volumes: headers['x-all'] ? 'all' : volumes },
        },
      },
    )
    const ask = async (headers: Readonly<Record<string, string>>) =>
      (await http.get(SELF_QUOTAS, headers)).body.num_records
    expect(await ask({ 'x-user': 'ann' })).toBe(0)
    expect(await ask({ 'x-user': 'ann', 'x-all': '1' })).toBe(3)
    expect(await ask({ 'x-user': '1003', 'x-all': '1' })).toBe(3)
    volumes.push(http.vol1.uuid)
    expect(await ask({ 'x-user': 'ann' })).toBe(3)
    expect((await http.get(`${SELF_QUOTAS}?user=sam`, { 'x-user': 'ann' })).status).toBe(403)
    expect((await as(http, await makeToken(http, { name: 'ann' }))).status).toBe(200)
  })

  it('names the volumes whose usage cannot be read', async () => {
    const http = await openWithQuotas()
    const token = await makeToken(http, { name: 'sam' })
    http.volume.host.unmount()
    const { status, body } = await as(http, token)
    expect(status).toBe(200)
    expect(body).toMatchObject({ num_records: 0, warnings: [{ message: expect.stringContaining('vol1') }] })
  })
})

describe('a storage over a file system that does not know the users of its qtrees', () => {
  /** Answers each walk when it is released. */
  function walkedVolume() {
    const volume = simulatedVolume({ users: { sam: 1001, ann: 1003 } })
    let fail = (): void => expect.fail('Nothing is walked')
    const walks: ((usage: readonly QuotaUsage[]) => void)[] = []
    const backend: VolumeBackend = {
      ...volume,
      capabilities: async () => ({ ...(await volume.capabilities()), usersPerQtree: false }),
      countTreeOwners: () => {
        const { promise, resolve, reject } = Promise.withResolvers<readonly QuotaUsage[]>()
        walks.push(resolve)
        fail = () => reject(new VolumeRefusal('failed', 'The walk has failed.'))
        return promise
      },
    }
    const owners = (...names: readonly string[]): readonly QuotaUsage[] =>
      names.map((name, index) => ({
        target: { kind: 'user', user: { id: String(1001 + index), name }, qtree: 'shared' },
        space: 100 - index,
        files: 1,
      }))
    const last = () => walks.at(-1) ?? expect.fail('Nothing is walked')
    onTestFinished(() => last()([]))
    return { volume, backend: () => backend, walks, owners, last, fail: () => fail() }
  }

  async function openWalked() {
    const walked = walkedVolume()
    const http = await openHttp({ volume: walked.volume, backend: walked.backend })
    await makeQtree(http, 'shared')
    await makeRule(http, { qtree: { name: 'shared' }, space: { hard_limit: 10 * MiB } })
    await switchQuota(http, true)
    return { ...walked, http, token: await makeToken(http, { name: 'sam' }) }
  }

  it('counts owners once for any number of requests, and again after 10 minutes', async () => {
    const { http, token, walks, owners, last } = await openWalked()
    const asked = [as(http, token), as(http, token)]
    await until(() => walks.length === 1)
    last()(owners('sam', 'ann'))
    for (const { body } of await Promise.all(asked)) {
      expect(body.records[0].shared_with).toEqual({
        num_users: 1,
        users: [{ id: '1002', name: 'ann', space: { used: { total: 99 } }, files: { used: { total: 1 } } }],
      })
    }
    expect((await as(http, token)).body.num_records).toBe(1)
    expect(walks).toHaveLength(1)

    http.clock.advance(601)
    expect((await as(http, token)).body.num_records).toBe(1)
    await until(() => walks.length === 2)
    last()(owners('ann'))
    await until(async () => (await as(http, token)).body.num_records === 0)
  })

  it('counts owners no sooner again when that has failed', async () => {
    const { http, token, walks, fail } = await openWalked()
    const asked = as(http, token)
    await until(() => walks.length === 1)
    fail()
    expect((await asked).body.warnings).toHaveLength(1)
    expect((await as(http, token)).body.warnings).toHaveLength(1)
    expect(walks).toHaveLength(1)
    expect(http.faults).toHaveLength(1)
  })

  it('names the volume in a warning while owners are counted for the first time', async () => {
    const { http, token, owners, last } = await openWalked()
    const { body } = await as(http, token)
    expect(body).toMatchObject({
      num_records: 0,
      warnings: [{ message: expect.stringContaining('are being counted') }],
    })
    last()(owners('sam'))
    await until(async () => (await as(http, token)).body.num_records === 1)
  })
})

describe('the API of tokens of users', () => {
  it('returns the secret of a token once, and stores its hash', async () => {
    const http = await openHttp()
    const { status, body, headers } = await http.post(SELF_TOKENS, { user: { name: 'sam' } })
    const [{ uuid, token, ...record }] = body.records
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`${SELF_TOKENS}/${uuid}`)
    expect(token).toMatch(/^tself_[A-Za-z0-9_-]{43}$/)
    expect(record).toMatchObject({
      user: { name: 'sam' },
      create_time: '2026-01-02T03:04:05.000Z',
      expiry_time: '2026-04-02T03:04:05.000Z',
    })
    const later = [
      (await http.get(`${SELF_TOKENS}/${uuid}?fields=**`)).text,
      (await http.get(`${SELF_TOKENS}?fields=**`)).text,
    ].join()
    expect(later).toContain(uuid)
    expect(later).not.toContain(token.slice(6))
    expect(JSON.stringify(http.emitted)).not.toContain(token.slice(6))
  })

  it('lists and filters tokens by their users', async () => {
    const http = await openHttp()
    await makeToken(http, { name: 'sam' })
    await makeToken(http, { id: '1002' })
    expect((await http.get(`${SELF_TOKENS}?user.name=sam&fields=user`)).body.records).toMatchObject([
      { user: { name: 'sam' } },
    ])
    expect((await http.get(`${SELF_TOKENS}?user.id=1002`)).body.num_records).toBe(1)
    expect((await http.get(`${SELF_TOKENS}?order_by=create_time desc`)).body.num_records).toBe(2)
  })

  it('refuses a token that was deleted, has expired or is not one, and counts no wrong password', async () => {
    const http = await openHttp()
    const [{ uuid, token: deleted }] = (await http.post(SELF_TOKENS, { user: { name: 'sam' } })).body.records
    const short = await makeToken(http, { name: 'sam' }, { lifetime: 'PT1H' })
    expect((await as(http, short)).status).toBe(200)
    expect((await http.delete(`${SELF_TOKENS}/${uuid}`)).status).toBe(200)
    expect((await http.delete(`${SELF_TOKENS}/${uuid}`)).status).toBe(404)
    http.clock.advance(3600)
    for (const token of [deleted, short, `tself_${'x'.repeat(43)}`]) {
      const { status, headers, body } = await as(http, token)
      expect([status, body.error.message]).toEqual([401, 'User is not authorized'])
      expect(headers.get('www-authenticate')).toBe('Bearer realm="Trivium"')
    }
  })

  it('refuses a token elsewhere without counting it as a wrong password', async () => {
    const guesses: unknown[] = []
    const http = await openHttp({}, { onAnswered: ({ refusal }) => guesses.push(refusal) })
    const token = await makeToken(http, { name: 'sam' })
    guesses.length = 0
    await as(http, token, '/api/storage/volumes')
    expect(guesses).toEqual(['wrong_key'])
  })

  it('lets a token read the own quotas and nothing else', async () => {
    const http = await openHttp()
    const token = await makeToken(http, { name: 'sam' })
    for (const path of [SELF_TOKENS, '/api/storage/volumes', '/api/storage/quota/reports', '/api/support/events']) {
      expect([path, (await as(http, token, path)).status]).toEqual([path, 401])
    }
    expect((await as(http, token, `${SELF_QUOTAS}?user=ann`)).status).toBe(403)
    expect((await http.ask('POST', SELF_TOKENS, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401)
  })

  it.each<[string, unknown, string]>([
    ['no user', {}, 'user'],
    ['a user without a name and an id', { user: {} }, 'user'],
    ['a user with both', { user: { name: 'sam', id: '1' } }, 'user'],
    ['a number as the name', { user: { name: '1001' } }, 'user.name'],
    ['an empty name', { user: { name: '' } }, 'user.name'],
    ['a name of 129 characters', { user: { name: 'x'.repeat(129) } }, 'user.name'],
    ['a line break in the name', { user: { name: 'a\nb' } }, 'user.name'],
    ['an id that is not a number', { user: { id: 'sam' } }, 'user.id'],
    ['an id with a leading zero', { user: { id: '007' } }, 'user.id'],
    ['an id of 11 digits', { user: { id: '12345678901' } }, 'user.id'],
    ['a lifetime of 0', { user: { name: 'sam' }, lifetime: 0 }, 'lifetime'],
    ['a lifetime of 11 years', { user: { name: 'sam' }, lifetime: 'P4015D' }, 'lifetime'],
    ['a lifetime without a unit that exists', { user: { name: 'sam' }, lifetime: '1 week' }, 'lifetime'],
    ['a secret of the client', { user: { name: 'sam' }, token: 'x' }, 'token'],
  ])('refuses %s', async (_, body, target) => {
    const http = await openHttp()
    const answer = await http.post(SELF_TOKENS, body)
    expect([answer.status, answer.body.error.target]).toEqual([400, target])
    expect(await http.storage.selfTokens.count({ all: [] })).toBe(0)
  })

  it('removes expired tokens while the storage runs', async () => {
    const http = await openHttp()
    await makeToken(http, { name: 'sam' }, { lifetime: 1 })
    http.clock.advance(2)
    expect(await http.repositories.selfTokens.removeExpired(http.clock.now())).toBe(1)
  })
})
