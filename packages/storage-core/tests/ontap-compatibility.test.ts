import { describe, expect, it } from 'vitest'
import type { UnshareSlice } from '../src/volumes/volume-backend.ts'
import { VolumeRefusal } from '../src/volumes/volume-refusal.ts'
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
import { MiB, until } from './open-storage.ts'

describe('the ONTAP interface', () => {
  it('accepts doubled and trailing slashes', async () => {
    const http = await openHttp()
    const { uuid } = await makeRule(http)
    for (const path of ['/api//storage/quota/rules', '/api/storage/quota/rules/', '//api///storage//quota/rules//']) {
      expect((await http.get(path)).body.num_records).toBe(2)
    }
    expect((await http.get(`/api//storage/quota/rules/${uuid}/`)).body.uuid).toBe(uuid)
    expect((await http.get('/api//cluster/')).status).toBe(200)
    const { body } = await http.get(`${RULES}?max_records=1`)
    const next = body._links.next.href.replace('/api', '')
    expect((await http.get(`/api/${next}`)).body.num_records).toBe(1)
  })

  it('accepts a trailing comma in `fields`, and an empty `fields`', async () => {
    const http = await openHttp()
    await makeRule(http)
    const { body } = await http.get(`${RULES}?type=tree&fields=svm.uuid,users.name,group.name,&qtree.name=qt1`)
    expect(body.records[0]).toMatchObject({ svm: { uuid: http.vol1.svm.uuid }, uuid: expect.any(String) })
    for (const name of ['type', 'qtree']) expect(body.records[0]).not.toHaveProperty(name)
    const listed = await http.get(`${RULES}?fields=`)
    expect(Object.keys(listed.body.records[0]).toSorted()).toEqual(['_links', 'svm', 'uuid', 'volume'])
  })

  it('accepts bodies with dotted names and columns of arrays', async () => {
    const http = await openHttp()
    const { status, body } = await http.post(RULES, {
      'svm.name': 'svm1',
      'volume.name': 'vol1',
      type: 'user',
      'users.name': ['sam', 'smith'],
      'qtree.name': '',
      'space.hard_limit': '10485760',
    })
    expect(status).toBe(201)
    expect(body.records[0]).toMatchObject({
      users: [{ name: 'sam' }, { name: 'smith' }],
      space: { hard_limit: 10485760 },
    })
    const again = await http.post(RULES, { ...ruleBody(), qtree: { name: 'a' }, 'qtree.name': 'b' })
    expect(again).toMatchObject({ status: 400, body: { error: { code: '262188' } } })
  })

  it('accepts integers as texts, "-" and -1 to clear limits, and `on` as a boolean', async () => {
    const http = await openHttp()
    const { uuid } = await makeRule(http, {
      type: 'user',
      users: [{ name: 'fred' }],
      qtree: undefined,
      user_mapping: 'on',
      space: { hard_limit: '10MB', soft_limit: '4096' },
      files: { hard_limit: '20', soft_limit: 10 },
    })
    const read = async () => (await http.get(`${RULES}/${uuid}`)).body
    expect(await read()).toMatchObject({
      user_mapping: true,
      space: { hard_limit: 10485760, soft_limit: 4096 },
      files: { hard_limit: 20, soft_limit: 10 },
    })
    const { status } = await http.patch(`${RULES}/${uuid}`, {
      'space.hard_limit': '30720',
      'space.soft_limit': '-',
      'files.hard_limit': -1,
      'files.soft_limit': '-1',
      user_mapping: 'off',
    })
    expect(status).toBe(200)
    const after = await read()
    expect(after).toMatchObject({ space: { hard_limit: 30720 }, user_mapping: false })
    expect(after.space).not.toHaveProperty('soft_limit')
    expect(after).not.toHaveProperty('files')
    expect((await http.patch(`${RULES}/${uuid}`, { space: { hard_limit: null } })).status).toBe(200)
    expect(await read()).not.toHaveProperty('space')
    expect((await http.patch(`${RULES}/${uuid}`, { space: { hard_limit: 1 } })).status).toBe(200)
    expect((await read()).space.hard_limit).toBe(1024)
    expect((await http.patch(`${RULES}/${uuid}`, { space: { hard_limit: 0 }, files: { hard_limit: 0 } })).status).toBe(
      200,
    )
    expect(await read()).toMatchObject({ space: { hard_limit: 1024 } })
    expect(await read()).not.toHaveProperty('files')
  })

  it('finds the rule of several users by `users.name=a,b`, and treats digits as an id', async () => {
    const http = await openHttp()
    const { users } = await makeRule(http, { type: 'user', qtree: undefined, 'users.name': ['sam', 'smith', '300010'] })
    expect(users).toEqual([{ name: 'sam' }, { name: 'smith' }, { id: '300010' }])
    for (const query of [
      'users.name=sam,smith',
      'users.name=sam,smith&users.id=300010',
      'users.name=smith',
      'users.id=300010',
    ]) {
      const { body } = await http.get(`${RULES}?type=user&${query}&fields=users`)
      expect(body.records).toMatchObject([{ users }])
    }
    expect((await http.get(`${RULES}?users.name=300010`)).body.num_records).toBe(0)
  })

  it('matches and answers ids as names where `fields` selects names alone', async () => {
    const http = await openHttp()
    const user = { type: 'user', qtree: undefined }
    await makeRule(http, { ...user, 'users.name': ['zed', '9009'] })
    await makeRule(http, { ...user, 'users.name': ['fred'] })
    await makeRule(http, { ...user, 'users.name': ['300010'] })
    await makeRule(http, { type: 'group', qtree: undefined, 'group.name': '5005' })
    const users = async (query: string) => {
      const { body } = await http.get(`${RULES}?${query}`)
      return body.records.map((rule: { users?: unknown; group?: unknown }) => rule.users ?? rule.group)
    }
    const shared = [{ name: 'zed' }, { name: '9009' }]
    for (const [filter, expected] of [
      ['users.name=9009', [shared]],
      ['users.name=zed,9009', [shared]],
      ['users.name=0300010', [[{ name: '300010' }]]],
      ['users.name=9*', [shared]],
      ['users.name=!zed&users.name=!300010&users.name=!""', [[{ name: 'fred' }]]],
      ['users.name=!9009&users.name=!""', [[{ name: 'fred' }], [{ name: '300010' }]]],
    ] as const) {
      const found = await users(`type=user&fields=uuid,users.name,&${filter}`)
      expect([filter, found.length, found]).toEqual([filter, expected.length, expect.arrayContaining([...expected])])
    }
    expect(await users('fields=group.name&group.name=5005')).toEqual([{ name: '5005' }])
    expect(await users('fields=group.name,group.id&group.id=5005')).toEqual([{ id: '5005' }])
    expect(await users('fields=group.name,group.id&group.name=5005')).toEqual([])
    expect(await users('fields=users.name,users.id&users.name=zed&users.id=9009')).toEqual([
      [{ name: 'zed' }, { id: '9009' }],
    ])
    expect(await users('fields=users.name,users.id&users.name=9009')).toEqual([])
    const tooMany = await http.get(`${RULES}?fields=users.name&users.name=!a*|!b*|!c*|!d*|!e*`)
    expect(tooMany).toMatchObject({
      status: 400,
      body: { error: { target: 'users.name', message: expect.stringContaining('more than 4 negated') } },
    })
  })

  it('matches an absent field with null, and distinguishes it from an empty name', async () => {
    const http = await openHttp()
    await makeRule(http, { type: 'user', users: [{ name: 'fred' }], qtree: { name: '' } })
    await makeRule(http, { space: { hard_limit: 2048 } })
    const { body } = await http.get(`${RULES}?fields=*`)
    const [user] = body.records.filter((rule: { users?: { name: string }[] }) => rule.users?.[0]?.name === 'fred')
    for (const name of ['qtree', 'space', 'files', 'user_mapping', 'group']) expect(user).not.toHaveProperty(name)
    const defaults = await http.get(`${RULES}?type=tree&qtree.name=&fields=qtree,space`)
    expect(defaults.body.records).toMatchObject([{ qtree: { name: '' } }])
    expect(defaults.body.records[0].qtree).not.toHaveProperty('id')
    expect((await http.get(`${RULES}?qtree.name=null`)).body.num_records).toBe(2)
    expect((await http.get(`${RULES}?space.hard_limit=null`)).body.num_records).toBe(3)
    expect((await http.get(`${RULES}?space.hard_limit=!null`)).body.num_records).toBe(1)
  })

  it('has `_links` on the last page, and only `next` for `application/json`', async () => {
    const http = await openHttp()
    await makeRule(http)
    const last = await http.get(RULES, { accept: '*/*' })
    expect(last.headers.get('content-type')).toBe('application/hal+json')
    expect(last.body._links).toEqual({ self: { href: RULES } })
    const plain = await http.get(`${RULES}?max_records=1&fields=*`, { accept: 'application/json' })
    expect(plain.headers.get('content-type')).toBe('application/json')
    expect(plain.body._links).toEqual({ next: { href: expect.stringContaining('start.uuid=') } })
    expect(JSON.stringify(plain.body.records)).not.toContain('_links')
    const end = await http.get(plain.body._links.next.href, { accept: 'application/json' })
    expect(end.body).not.toHaveProperty('_links')
    expect(end.body.records[0].uuid).not.toBe(plain.body.records[0].uuid)
  })

  it('has the link of a job for `application/json`', async () => {
    const http = await openHttp()
    const headers = { accept: 'application/json' }
    const link = (uuid: string) => ({ uuid, _links: { self: { href: `${JOBS}/${uuid}` } } })
    const { body } = await http.ask('POST', RULES, { body: ruleBody(), headers })
    expect(body.job).toEqual(link(body.job.uuid))
    expect(body.records[0]).not.toHaveProperty('_links')
    const { jobs } = (await http.ask('DELETE', `${RULES}?type=tree`, { headers })).body
    expect(jobs).toEqual(jobs.map(({ uuid }: { uuid: string }) => link(uuid)))
  })

  it('answers a request that waits for a job with 202 when the host stops', async () => {
    const started = Promise.withResolvers<void>()
    const http = await openHttp({
      backend: (volume) => ({
        ...volume,
        enableQuota: (_, { signal }) => {
          started.resolve()
          return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        },
      }),
    })
    const path = `${VOLUMES}/${http.vol1.uuid}?return_timeout=120`
    const waiting = http.patch(path, { quota: { enabled: true } })
    const all = http.patch(`${VOLUMES}?name=vol1&return_timeout=120`, { quota: { enabled: true } })
    await started.promise
    await http.stop()
    expect([(await waiting).status, (await all).status]).toEqual([202, 202])
  })

  it('keeps a job for 300 seconds, and includes it in answers with 200 and 201', async () => {
    const http = await openHttp()
    await makeQtree(http, 'qt1')
    await switchQuota(http, true)
    const late = await http.patch(`${VOLUMES}/${http.vol1.uuid}`, { quota: { enabled: false } })
    expect(late).toMatchObject({ status: 202, body: { job: { uuid: expect.any(String), _links: { self: {} } } } })
    const href = late.body.job._links.self.href
    await until(async () => (await http.get(href)).body.state === 'success')
    const made = await http.post(`${RULES}?return_timeout=30`, ruleBody())
    expect(made).toMatchObject({ status: 201, body: { num_records: 1, job: { uuid: expect.any(String) } } })
    const finished = await http.get(`${JOBS}/${made.body.job.uuid}`)
    expect(finished.body).toMatchObject({
      uuid: made.body.job.uuid,
      description: 'POST /api/storage/quota/rules',
      state: 'success',
      message: 'success',
      code: 0,
      start_time: '2026-01-02T03:04:05+00:00',
      end_time: '2026-01-02T03:04:05+00:00',
    })
    http.clock.advance(299)
    expect((await http.get(href)).status).toBe(200)
    http.clock.advance(1)
    expect(await http.get(href)).toMatchObject({ status: 404, body: { error: { code: '4' } } })
  })

  it('keeps a rule whose resize fails, and returns the failure as an error', async () => {
    const http = await openHttp()
    await makeQtree(http, 'qt1')
    await switchQuota(http, true)
    const first = await http.post(`${RULES}?return_timeout=30`, ruleBody())
    expect(first).toMatchObject({ status: 409, body: { error: { code: '5308571' } } })
    const { body } = await http.get(`${RULES}?qtree.name=qt1`)
    expect(body.num_records).toBe(1)
    const { uuid } = body.records[0]
    expect(await http.patch(`${RULES}/${uuid}?return_timeout=30`, { space: { hard_limit: 4096 } })).toMatchObject({
      status: 409,
      body: { error: { code: '5308567' } },
    })
    expect((await http.get(`${RULES}/${uuid}`)).body.space.hard_limit).toBe(4096)
    await switchQuota(http, false)
    await switchQuota(http, true)
    const defaults = (await http.get(`${RULES}?qtree.name=""`)).body.records[0]
    expect(await http.delete(`${RULES}/${defaults.uuid}?return_timeout=30`)).toMatchObject({
      status: 409,
      body: { error: { code: '5308572' } },
    })
    expect((await http.get(`${RULES}/${defaults.uuid}`)).status).toBe(404)
    const waiting = await http.post(RULES, ruleBody({ type: 'group', group: { name: 'g' }, qtree: undefined }))
    expect(waiting.status).toBe(202)
    const job = async () => (await http.get(waiting.body.job._links.self.href)).body
    await until(async () => (await job()).state === 'failure')
    expect(await job()).toMatchObject({ code: 5308571, error: { code: '5308571' } })
  })

  it('keeps integers up to 2^63 - 1 exact and refuses larger ones, and has smaller report indexes', async () => {
    const http = await openHttp()
    const largest = '9223372036854775807'
    const { uuid } = await makeRule(http, { space: { hard_limit: largest } })
    expect((await http.get(`${RULES}/${uuid}`)).text).toContain(`"hard_limit":${largest}`)
    for (const limit of ['9223372036854775808', '8192PB', 2 ** 63, 1e30]) {
      const answer = await http.patch(`${RULES}/${uuid}`, { space: { hard_limit: limit } })
      expect(answer).toMatchObject({ status: 400, body: { error: { code: '5308574', target: 'space.hard_limit' } } })
    }
    await makeQtree(http, 'qt1')
    await switchQuota(http, true)
    const reports = (await http.get('/api/storage/quota/reports?fields=*')).body.records
    for (const { index, _links } of reports) {
      expect(Number.isSafeInteger(index)).toBe(true)
      expect((await http.get(_links.self.href)).body.index).toBe(index)
    }
    expect(reports.length).toBeGreaterThan(0)
  })

  it.each([
    'quota-exceeded',
    'no-space',
  ] as const)('continues a split later after the refusal %s of the file system', async (reason) => {
    // EDQUOT of users and ENOSPC of XFS projects reach the core as these two reasons.
    let isRefusing = true
    const http = await openHttp({
      backend: (volume) => ({
        ...volume,
        unshare: async (file, slice: UnshareSlice) => {
          if (isRefusing) throw new VolumeRefusal(reason, 'Disk quota exceeded')
          return volume.unshare(file, slice)
        },
      }),
    })
    http.volume.files.write('f', { size: MiB })
    const request = { volume: { uuid: http.vol1.uuid }, source_path: 'f', destination_path: 'c', split: true }
    expect((await http.post('/api/storage/file/clone?return_timeout=30', request)).status).toBe(201)
    await until(() => http.emitted.some(([name]) => name === 'split.refused'))
    const status = async () => (await http.get(`/api/storage/file/clone/split-status/${http.vol1.uuid}`)).body
    expect(await status()).toMatchObject({ pending_splits: 1, unsplit_size: MiB })
    isRefusing = false
    http.clock.advance(31)
    await until(async () => (await status()).pending_splits === 0)
  })

  it('counts a clone in full against its quota', async () => {
    const http = await openHttp()
    await makeQtree(http, 'qt1')
    await makeRule(http, { space: { hard_limit: 5 * MiB } })
    await switchQuota(http, true)
    http.volume.files.write('qt1/f', { size: 4 * MiB })
    const request = { volume: { uuid: http.vol1.uuid }, source_path: 'qt1/f', destination_path: 'qt1/c' }
    expect((await http.post('/api/storage/file/clone?return_timeout=30', request)).status).toBe(201)
    const { body } = await http.get('/api/storage/quota/reports?qtree.name=qt1&type=tree&fields=space')
    expect(body.records[0].space).toEqual({
      hard_limit: 5 * MiB,
      used: { total: 8 * MiB, hard_limit_percent: 160 },
    })
  })

  it('keeps holes when it splits a clone', async () => {
    const http = await openHttp()
    http.volume.files.write('f', { size: 1, offset: 100 * MiB })
    const request = { volume: { uuid: http.vol1.uuid }, source_path: 'f', destination_path: 'c', split: true }
    expect((await http.post('/api/storage/file/clone?return_timeout=30', request)).status).toBe(201)
    const status = async () => (await http.get('/api/storage/file/clone/split-status?volume.name=vol1')).body.records[0]
    await until(async () => (await status()).pending_splits === 0)
    expect((await http.volume.space()).used).toBe(8192)
  })

  it('exempts root from the quotas of users, not from those of qtrees', async () => {
    const http = await openHttp()
    await makeQtree(http, 'qt1')
    await makeRule(http, { space: { hard_limit: MiB } })
    await makeRule(http, { type: 'user', users: [{ name: '' }], qtree: undefined, space: { hard_limit: MiB } })
    await switchQuota(http, true)
    const { files } = http.volume
    files.write('f', { size: 2 * MiB })
    expect(() => files.write('g', { size: 2 * MiB, user: 'sam' })).toThrow('user sam')
    expect(() => files.write('qt1/f', { size: 2 * MiB })).toThrow('qtree qt1')
  })

  it('expires tokens by the clock, filters them by the time left, and rounds their size up', async () => {
    const http = await openHttp()
    const node = await nodeOf(http)
    const { status, body, headers } = await http.post(TOKENS, {
      'node.uuid': node,
      reserve_size: '40M',
      'expiry_time.limit': '4200',
    })
    expect(status).toBe(201)
    const [token] = body.records
    expect(token).toMatchObject({
      node: { uuid: node, name: 'node1' },
      reserve_size: 41943040,
      expiry_time: { limit: 'PT1H10M', left: 'PT1H10M' },
      _links: { self: { href: `${TOKENS}/${node}/${token.uuid}` } },
    })
    expect(headers.get('location')).toBe(`${TOKENS}/${node}/${token.uuid}`)
    http.clock.advance(60)
    expect((await http.get(`${TOKENS}/${node}/${token.uuid}`)).body.expiry_time).toEqual({
      limit: 'PT1H10M',
      left: 'PT1H9M',
    })
    for (const [filter, found] of [
      ['PT1H9M', 1],
      ['4140', 1],
      ['>=PT1H9M', 1],
      ['>PT1H9M', 0],
      ['<PT1H9M', 0],
      ['<=4140', 1],
      ['1..PT2H', 1],
      ['!4140', 0],
    ] as const) {
      const listed = await http.get(`${TOKENS}?expiry_time.left=${filter}`)
      expect([filter, listed.body.num_records]).toEqual([filter, found])
    }
    expect((await http.get(`${TOKENS}?expiry_time.limit=PT1H10M`)).body.num_records).toBe(1)
    const small = await http.post(TOKENS, { node: { uuid: node }, reserve_size: 1 })
    expect(small.body.records[0]).toMatchObject({ reserve_size: 4096, expiry_time: { limit: 'PT1M' } })
    const loads = '/api/storage/file/clone/split-loads'
    expect((await http.patch(`${loads}/${node}`, { load: { maximum: '4KB' } })).status).toBe(200)
    expect((await http.get(`${loads}/${node}`)).body.load).toEqual({
      maximum: 4096,
      current: 0,
      token_reserved: 41947136,
      allowable: 0,
    })
    http.clock.advance(60)
    expect(await http.get(small.body.records[0]._links.self.href)).toMatchObject({
      status: 404,
      body: { error: { code: '13565958' } },
    })
    expect((await http.get(TOKENS)).body.num_records).toBe(1)
    expect((await http.patch(`${TOKENS}/${node}/${token.uuid}`, { expiry_time: { limit: '60' } })).status).toBe(200)
    http.clock.advance(60)
    expect((await http.get(TOKENS)).body.num_records).toBe(0)
    expect((await http.get(`${loads}/${node}`)).body.load).toMatchObject({ token_reserved: 0, allowable: 4096 })
  })

  it('changes only the rule with a PATCH while quotas are off', async () => {
    const http = await openHttp()
    await makeQtree(http, 'qt1')
    const { uuid } = await makeRule(http, { space: { hard_limit: MiB } })
    const patched = await http.patch(`${RULES}/${uuid}`, { space: { hard_limit: 2 * MiB } })
    expect(patched).toMatchObject({ status: 200, body: { job: {} } })
    http.volume.files.write('qt1/f', { size: 8 * MiB })
    http.volume.files.remove('qt1/f')
    await switchQuota(http, true)
    expect(() => http.volume.files.write('qt1/f', { size: 3 * MiB })).toThrow('2097152 bytes')
    const on = await http.patch(`${RULES}/${uuid}?return_timeout=30`, { space: { hard_limit: 4 * MiB } })
    expect(on.status).toBe(200)
    http.volume.files.write('qt1/f', { size: 3 * MiB })
  })

  it('refuses to change a collection without a query', async () => {
    const http = await openHttp()
    for (const number of [1, 2, 3]) await makeRule(http, { qtree: { name: `qt${number}` } })
    const empty = ['', '?return_timeout=15', '?fields=uuid', '?max_records=1&continue_on_failure=true']
    for (const query of [...empty, '?colour=red&ignore_unknown_fields=true']) {
      expect((await http.delete(`${RULES}${query}`)).status).toBe(400)
      expect((await http.patch(`${RULES}${query}`, { space: { hard_limit: 4096 } })).status).toBe(400)
    }
    expect((await http.ask('DELETE', RULES, { headers: { 'x-dot-svm-name': 'svm1' } })).status).toBe(400)
    expect((await http.get(RULES)).body.num_records).toBe(4)
    const changed = await http.patch(`${RULES}?qtree.name=qt*&serial_records=true`, { space: { hard_limit: 4096 } })
    expect(changed).toMatchObject({ status: 200, body: { num_records: 3 } })
    expect(changed.body.jobs).toHaveLength(3)
    expect((await http.get(`${RULES}?space.hard_limit=4096`)).body.num_records).toBe(3)
    const first = await http.delete(`${RULES}?qtree.name=qt*&max_records=2`)
    expect(first).toMatchObject({ status: 200, body: { num_records: 2 } })
    const rest = await http.delete(first.body._links.next.href)
    expect(rest.body.num_records).toBe(1)
    expect(rest.body._links).not.toHaveProperty('next')
    expect((await http.get(RULES)).body.num_records).toBe(1)
    const node = await nodeOf(http)
    for (const size of [4096, 8192]) await http.post(TOKENS, { node: { uuid: node }, reserve_size: size })
    expect((await http.patch(`${TOKENS}?reserve_size=>5000`, { expiry_time: { limit: 900 } })).body.num_records).toBe(1)
    expect((await http.get(`${TOKENS}?expiry_time.limit=900`)).body.num_records).toBe(1)
    expect((await http.delete(`${TOKENS}?node.name=node1`)).body.num_records).toBe(2)
    const volumes = await http.patch(`${VOLUMES}?name=vol*&return_timeout=30`, { quota: { enabled: true } })
    expect(volumes).toMatchObject({ status: 200, body: { num_records: 2 } })
    expect((await http.get(`${VOLUMES}?quota.state=on`)).body.num_records).toBe(2)
  })

  it('excludes unset fields from comparisons, and compares enums as text', async () => {
    const http = await openHttp()
    await makeRule(http, { space: { hard_limit: 4096 } })
    await makeRule(http, { type: 'group', group: { name: 'eng' }, qtree: undefined })
    const count = async (query: string) => (await http.get(`${RULES}?${query}`)).body.num_records
    expect(await count('space.hard_limit=<10000')).toBe(1)
    expect(await count('space.hard_limit=<10000|null')).toBe(4)
    expect(await count('space.hard_limit=!4096')).toBe(0)
    expect(await count('type=<tree')).toBe(2)
    expect(await count('type=group..group')).toBe(2)
    const { body } = await http.get(`${RULES}?order_by=type desc,space.hard_limit desc&fields=type,space`)
    expect(body.records.map(({ type }: { type: string }) => type)).toEqual(['tree', 'tree', 'group', 'group'])
    expect(body.records[0].space).toEqual({ hard_limit: 4096 })
  })

  it('narrows requests to the SVM of a header', async () => {
    const http = await openHttp({ svms: ['svm2'] })
    const { uuid } = await makeRule(http)
    const own = { 'x-dot-svm-name': 'svm1' }
    const other = { 'x-dot-svm-name': 'svm2' }
    expect((await http.get(RULES, own)).body.num_records).toBe(2)
    expect((await http.get(RULES, other)).body.num_records).toBe(0)
    expect((await http.get(`${RULES}/${uuid}`, own)).status).toBe(200)
    expect((await http.get(`${RULES}/${uuid}`, other)).status).toBe(404)
    expect((await http.ask('DELETE', `${RULES}/${uuid}`, { headers: other })).status).toBe(404)
    expect((await http.get(VOLUMES, { 'x-dot-svm-uuid': http.vol1.svm.uuid })).body.num_records).toBe(2)
    expect((await http.get('/api/svm/svms', other)).body.records).toMatchObject([{ name: 'svm2' }])
    const { svm: _, ...body } = ruleBody({ qtree: { name: 'qt2' } })
    const made = await http.ask('POST', RULES, { body, headers: own })
    expect(made.body.records[0].svm.name).toBe('svm1')
    expect(await http.ask('POST', RULES, { body: ruleBody({ qtree: { name: 'qt3' } }), headers: other })).toMatchObject(
      {
        status: 400,
        body: { error: { code: '2621706' } },
      },
    )
    expect(await http.get(RULES, { 'x-dot-svm-name': 'nobody' })).toMatchObject({
      status: 404,
      body: { error: { code: '2621462' } },
    })
  })

  it('answers with code 3 for an unknown endpoint, and with 4 for an unknown record', async () => {
    const http = await openHttp()
    const endpoints = ['/api/storage/aggregates', '/api/private/cli/qtree', '/api/storage/quota/rules/a/b', '/api/x']
    for (const path of endpoints) {
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
        expect(await http.ask(method, path)).toMatchObject({ status: 404, body: { error: { code: '3' } } })
      }
    }
    const node = await nodeOf(http)
    const missing: readonly (readonly [string, string])[] = [
      [`${RULES}/00000000-0000-0000-0000-000000000000`, '4'],
      [`${RULES}/not a uuid`, '4'],
      [`${RULES}/%00`, '4'],
      [`${VOLUMES}/1`, '4'],
      [`${QTREES}/${http.vol1.uuid}/9`, '4'],
      [`${QTREES}/${http.vol1.uuid}/x`, '4'],
      [`${JOBS}/1`, '4'],
      [`/api/storage/quota/reports/${http.vol1.uuid}/1`, '4'],
      ['/api/cluster/nodes/1', '4'],
      ['/api/svm/svms/1', '4'],
      ['/api/storage/file/clone/split-status/1', '4'],
      ['/api/storage/file/clone/split-loads/1', '13565997'],
      [`${TOKENS}/${node}/1`, '13565958'],
    ]
    for (const [path, code] of missing) {
      expect([path, (await http.get(path)).body]).toMatchObject([path, { error: { code } }])
      expect((await http.get(path)).status).toBe(404)
    }
  })
})
