import { describe, expect, it } from 'vitest'
import {
  JOBS,
  makeQtree,
  makeRule,
  nodeOf,
  openHttp,
  QTREES,
  RULES,
  ruleBody,
  switchQuota,
  TOKENS,
  VOLUMES,
} from './open-http.ts'
import { MiB } from './open-storage.ts'

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/)

describe('the API of quota rules', () => {
  it('lists rules with the default fields of ONTAP', async () => {
    const http = await openHttp()
    const { uuid } = await makeRule(http, { type: 'group', group: { name: '' }, qtree: undefined })
    const { svm } = http.vol1
    expect((await http.get(RULES)).body).toEqual({
      records: [
        {
          svm: { uuid: svm.uuid, name: 'svm1', _links: { self: { href: `/api/svm/svms/${svm.uuid}` } } },
          volume: {
            uuid: http.vol1.uuid,
            name: 'vol1',
            _links: { self: { href: `/api/storage/volumes/${http.vol1.uuid}` } },
          },
          uuid,
          _links: { self: { href: `${RULES}/${uuid}` } },
        },
      ],
      num_records: 1,
      _links: { self: { href: RULES } },
    })
  })

  it('returns a user rule of a qtree in the form of ONTAP when it is created and read', async () => {
    const http = await openHttp()
    await makeQtree(http, 'qt1')
    const sent = {
      svm: { name: 'svm1' },
      volume: { name: 'vol1' },
      type: 'user',
      users: [{ name: 'jsmith' }],
      qtree: { name: 'qt1' },
      user_mapping: 'on',
      space: { hard_limit: 8192, soft_limit: 1024 },
      files: { hard_limit: 20, soft_limit: 10 },
    }
    const { status, body, headers } = await http.post(`${RULES}?return_records=true`, sent)
    expect(status).toBe(201)
    const [{ uuid }] = body.records
    expect(headers.get('location')).toBe(`${RULES}/${uuid}`)
    expect(body).toMatchObject({
      num_records: 1,
      job: { uuid: UUID, _links: { self: { href: `${JOBS}/${body.job.uuid}` } } },
    })
    const read = (await http.get(`${RULES}/${uuid}`)).body
    expect(read).toEqual(body.records[0])
    expect(read).toEqual({
      svm: { uuid: http.vol1.svm.uuid, name: 'svm1', _links: expect.any(Object) },
      volume: { uuid: http.vol1.uuid, name: 'vol1', _links: expect.any(Object) },
      uuid,
      type: 'user',
      users: [{ name: 'jsmith' }],
      qtree: { name: 'qt1', id: 1, _links: { self: { href: `${QTREES}/${http.vol1.uuid}/1` } } },
      user_mapping: true,
      space: { hard_limit: 8192, soft_limit: 1024 },
      files: { hard_limit: 20, soft_limit: 10 },
      _links: { self: { href: `${RULES}/${uuid}` } },
    })
  })

  it('creates one default rule with the first explicit rule of a type', async () => {
    const http = await openHttp()
    await makeRule(http, { type: 'user', users: [{ name: 'a' }], qtree: undefined })
    await makeRule(http, { type: 'user', users: [{ name: 'b' }], qtree: { name: 'qt1' } })
    await makeRule(http, { type: 'user', users: [{ name: '' }], qtree: { name: 'qt1' } })
    const { body } = await http.get(`${RULES}?fields=users,qtree,space,files&order_by=uuid`)
    expect(body.num_records).toBe(4)
    const volumeLevel = body.records.filter((rule: { users: unknown[]; qtree?: unknown }) => !rule.qtree)
    expect(volumeLevel).toContainEqual(expect.objectContaining({ users: [{ name: '' }] }))
  })

  it('answers changes and deletions with the job alone', async () => {
    const http = await openHttp()
    const { uuid } = await makeRule(http)
    const job = { job: { uuid: UUID, _links: { self: { href: expect.stringContaining(JOBS) } } } }
    const patched = await http.patch(`${RULES}/${uuid}`, { files: { hard_limit: 7 } })
    expect([patched.status, patched.body]).toEqual([200, job])
    const deleted = await http.delete(`${RULES}/${uuid}`)
    expect([deleted.status, deleted.body]).toEqual([200, job])
    expect((await http.delete(`${RULES}/${uuid}`)).status).toBe(404)
  })
})

describe('the API of quota reports', () => {
  it('returns a report in the form of ONTAP', async () => {
    const http = await openHttp()
    await makeQtree(http, 'qt1')
    await makeRule(http, {
      type: 'user',
      users: [{ name: 'sam' }],
      space: { hard_limit: 41943040, soft_limit: 31457280 },
      files: { soft_limit: 30, hard_limit: 40 },
    })
    http.volume.files.write('qt1/f', { size: 10567680, user: 'sam' })
    await switchQuota(http, true)
    const { body } = await http.get('/api/storage/quota/reports?fields=*&users.name=sam&space.hard_limit=!null')
    const [{ index }] = body.records
    expect(body.records).toEqual([
      {
        svm: expect.objectContaining({ name: 'svm1' }),
        volume: expect.objectContaining({ name: 'vol1' }),
        index,
        type: 'user',
        users: [{ name: 'sam', id: '1001' }],
        qtree: { name: 'qt1', id: 1, _links: expect.any(Object) },
        space: {
          hard_limit: 41943040,
          soft_limit: 31457280,
          used: { total: 10567680, soft_limit_percent: 34, hard_limit_percent: 25 },
        },
        files: { soft_limit: 30, hard_limit: 40, used: { total: 1, soft_limit_percent: 3, hard_limit_percent: 3 } },
        _links: { self: { href: `/api/storage/quota/reports/${http.vol1.uuid}/${index}` } },
      },
    ])
    const listed = (await http.get('/api/storage/quota/reports')).body
    expect(Object.keys(listed.records[0])).toEqual(['svm', 'volume', 'index', '_links'])
    const explicit = (await http.get('/api/storage/quota/reports?show_default_records=false')).body
    expect(explicit.num_records).toBeLessThan(listed.num_records)
    const over = await http.get('/api/storage/quota/reports?space.used.hard_limit_percent=>20&return_records=false')
    expect(over.body.num_records).toBe(1)
  })
})

describe('the API of the other resources', () => {
  it('returns the cluster with its version', async () => {
    const http = await openHttp()
    const { body } = await http.get('/api/cluster')
    expect(body).toMatchObject({ name: 'trivium', uuid: await nodeOf(http) })
    expect(body.version).toEqual({ full: expect.any(String), generation: 9, major: 14, minor: expect.any(Number) })
    expect((await http.get('/api/cluster?fields=version')).body).toEqual({
      version: body.version,
      _links: { self: { href: '/api/cluster' } },
    })
  })

  it('returns volumes by name with exactly the selected members', async () => {
    const http = await openHttp()
    const { body } = await http.get(`${VOLUMES}?name=vol1&svm.name=svm1&fields=quota.state,uuid`)
    expect(body.records).toEqual([
      {
        uuid: http.vol1.uuid,
        name: 'vol1',
        quota: { state: 'off' },
        _links: { self: { href: `${VOLUMES}/${http.vol1.uuid}` } },
      },
    ])
    expect((await http.get(`${VOLUMES}/${http.vol1.uuid}?fields=space`)).body.space).toMatchObject({ used: 0 })
    const many = 'encryption.enabled,space.size,nas.path,guarantee,snapshot_policy.name,autosize,tiering.policy'
    expect((await http.get(`${VOLUMES}?name=vol1&fields=${many}`)).body.records[0]).toMatchObject({ space: {} })
    for (const [filter, found] of [
      ['style=flexvol', 2],
      ['style=!flexgroup_constituent', 2],
      ['state=offline', 0],
      ['is_svm_root=false', 2],
      ['nas.path=null', 2],
      ['svm=svm1', 2],
      ['quota.state=off|mixed', 2],
      ['quota.state=corrupt', 0],
    ] as const) {
      expect((await http.get(`${VOLUMES}?${filter}`)).body.num_records).toBe(found)
    }
  })

  it('creates, lists, changes and deletes qtrees, with each volume as qtree 0', async () => {
    const http = await openHttp()
    const made = await http.post(`${QTREES}?return_timeout=10`, {
      svm: { name: 'svm1' },
      volume: { name: 'vol1' },
      name: 'qt9',
      unix_permissions: '0775',
      security_style: 'mixed',
      export_policy: { name: 'p' },
    })
    expect(made).toMatchObject({ status: 201, body: { num_records: 1, job: {} } })
    expect(made.headers.get('location')).toBe(`${QTREES}/${http.vol1.uuid}/1`)
    const fields = 'fields=export_policy,unix_permissions,security_style,volume'
    const { body } = await http.get(`${QTREES}?${fields}&svm.name=svm1&volume=vol1&name="qt9"`)
    expect(body.records).toEqual([
      {
        svm: expect.objectContaining({ name: 'svm1' }),
        volume: expect.objectContaining({ name: 'vol1' }),
        id: 1,
        name: 'qt9',
        security_style: 'mixed',
        unix_permissions: 775,
        export_policy: { name: 'p' },
        _links: { self: { href: `${QTREES}/${http.vol1.uuid}/1` } },
      },
    ])
    const all = (await http.get(`${QTREES}?volume=vol1&fields=path`)).body.records
    expect(all).toMatchObject([
      { id: 0, path: '/vol1' },
      { id: 1, path: '/vol1/qt9' },
    ])
    const instance = `${QTREES}/${http.vol1.uuid}/1`
    expect((await http.patch(`${instance}?return_timeout=10`, { name: 'qt10', unix_permissions: 700 })).status).toBe(
      200,
    )
    expect((await http.get(instance)).body).toMatchObject({ name: 'qt10', unix_permissions: 700 })
    expect((await http.delete(`${instance}?return_timeout=3`)).status).toBe(200)
    expect((await http.get(instance)).status).toBe(404)
    for (const method of ['PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { name: 'x' } : undefined
      expect((await http.ask(method, `${QTREES}/${http.vol1.uuid}/0`, { body })).status).toBe(400)
    }
  })

  it('returns SVMs, split loads and split status, and changes a split load', async () => {
    const http = await openHttp()
    const node = await nodeOf(http)
    expect((await http.get('/api/svm/svms?name=svm1&fields=*')).body.records).toMatchObject([
      { uuid: http.vol1.svm.uuid, name: 'svm1', state: 'running' },
    ])
    const loads = (await http.get('/api/storage/file/clone/split-loads?fields=*')).body
    expect(loads.records).toEqual([
      {
        node: { uuid: node, name: 'node1', _links: expect.any(Object) },
        load: { maximum: 35184372088832, current: 0, token_reserved: 0, allowable: 35184372088832 },
        _links: { self: { href: `/api/storage/file/clone/split-loads/${node}` } },
      },
    ])
    const path = `/api/storage/file/clone/split-loads/${node}`
    expect(await http.patch(path, { load: { maximum: '16TB' } })).toMatchObject({ status: 200, body: {} })
    expect((await http.get(path)).body.load.maximum).toBe(16 * 2 ** 40)
    expect((await http.get('/api/storage/file/clone/split-status')).body.records).toMatchObject([
      { pending_splits: 0, unsplit_size: 0, svm: { name: 'svm1' } },
      { pending_splits: 0, unsplit_size: 0 },
    ])
  })
})

describe('the API of file clones', () => {
  it('answers with a job, and charges the clone to its token', async () => {
    const http = await openHttp()
    http.volume.files.write('d/f'.slice(2), { size: 8 * MiB })
    const node = await nodeOf(http)
    const token = (await http.post(TOKENS, { node: { uuid: node }, reserve_size: '20M' })).body.records[0]
    const clone = {
      volume: { uuid: http.vol1.uuid, name: 'vol1' },
      source_path: './f',
      destination_path: 'c',
      token_uuid: token.uuid,
      overwrite_destination: false,
      is_backup: false,
      autodelete: false,
    }
    const started = await http.post('/api/storage/file/clone', clone)
    expect(started).toMatchObject({ status: 202, body: { job: { uuid: UUID } } })
    const done = await http.post('/api/storage/file/clone?return_timeout=30', { ...clone, destination_path: 'c2' })
    expect(done).toMatchObject({ status: 201, body: { job: { uuid: UUID } } })
    expect((await http.get(token._links.self.href)).body.reserve_size).toBe(4 * MiB)
    const third = await http.post('/api/storage/file/clone?return_timeout=30', { ...clone, destination_path: 'c3' })
    expect(third).toMatchObject({ status: 409, body: { error: { code: '13565952' } } })
  })
})

describe('the API of jobs', () => {
  it('pauses, resumes and cancels jobs that wait or scan', async () => {
    const http = await openHttp({
      leaseSeconds: 0.2,
      backend: (volume) => ({
        ...volume,
        enableQuota: (_, { signal }) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      }),
    })
    const path = `${VOLUMES}/${http.vol1.uuid}`
    const { body } = await http.patch(path, { 'quota.enabled': 'true' })
    const job = body.job._links.self.href
    const waiting = (await http.post(RULES, ruleBody())).body.job._links.self.href
    expect((await http.get(waiting)).body).toMatchObject({ state: 'queued' })
    expect((await http.ask('PATCH', `${waiting}?action=pause`)).status).toBe(200)
    expect((await http.get(waiting)).body.state).toBe('paused')
    expect((await http.get(`${JOBS}?state=paused`)).body.num_records).toBe(1)
    expect((await http.ask('PATCH', `${waiting}?action=resume`, { body: {} })).status).toBe(200)
    expect((await http.ask('PATCH', `${waiting}?action=cancel`)).status).toBe(200)
    expect((await http.get(waiting)).body).toMatchObject({ state: 'failure', message: 'The job was cancelled.' })
    expect((await http.ask('PATCH', `${waiting}?action=cancel`)).body.error.code).toBe('458762')
    expect((await http.get(`${path}?fields=quota.state`)).body.quota).toEqual({ state: 'initializing' })
    expect((await http.ask('PATCH', `${job}?action=cancel`)).status).toBe(200)
    const off = await http.patch(`${path}?return_timeout=30`, { quota: { enabled: false } })
    expect(off.status).toBe(200)
    expect((await http.get(`${path}?fields=quota.state`)).body.quota).toEqual({ state: 'off' })
    for (const query of ['', '?action=explode', '?action=pause&action=cancel']) {
      expect((await http.ask('PATCH', `${job}${query}`)).status).toBe(400)
    }
  })
})
