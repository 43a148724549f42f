import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { expect, it } from 'vitest'
import { StoreFailure } from '../src/store-failure.ts'
import { makeQtree, makeRule, type OpenHttp, openHttp, RULES, switchQuota } from './open-http.ts'
import { MiB, stateOf } from './open-storage.ts'

const IMPORT = `${RULES}/import`
const EXPORT = `${RULES}/export`
const AT = 'svm.name=svm1&volume.name=vol1'

const send = (http: OpenHttp, body: string, query = AT, type = 'text/csv') =>
  http.ask('POST', `${IMPORT}?${query}`, { body, headers: { 'content-type': type } })

const jsonLines = (...rules: readonly object[]) => rules.map((rule) => `${JSON.stringify(rule)}\n`).join('')

const csv = (...lines: readonly string[]) => `${lines.join('\n')}\n`

const rulesOf = async (http: OpenHttp, query = '') => (await http.get(`${RULES}?fields=*&${query}`)).body.records

it('creates, changes and keeps rules of a CSV file, with the default rule of each type', async () => {
  const http = await openHttp()
  const kept = await makeRule(http, { qtree: { name: 'q1' }, space: { hard_limit: MiB } })
  const changed = await makeRule(http, { qtree: { name: 'q2' }, space: { hard_limit: MiB, soft_limit: 2048 } })
  const file = csv(
    'type,qtree.name,users.name,space.hard_limit,files.soft_limit',
    'tree,q1,,1M,',
    'tree,q2,,2M,',
    'user,,"sam,smith,300010",,100',
  )
  const { status, body } = await send(http, file)
  expect(status).toBe(200)
  expect(body).toEqual({ num_records: 2, num_created: 1, num_modified: 1, num_deleted: 0, num_unchanged: 1 })
  expect(await rulesOf(http, `uuid=${kept.uuid}`)).toMatchObject([{ space: { hard_limit: MiB } }])
  expect((await rulesOf(http, `uuid=${changed.uuid}`))[0].space).toEqual({ hard_limit: 2 * MiB })
  expect(await rulesOf(http, 'type=user&order_by=files.soft_limit')).toMatchObject([
    { users: [{ name: '' }] },
    { users: [{ name: 'sam' }, { name: 'smith' }, { id: '300010' }], files: { soft_limit: 100 } },
  ])
  expect((await send(http, file)).body).toMatchObject({ num_records: 0, num_unchanged: 3 })
})

it('reads JSON lines as the bodies of single requests, in each of their content types', async () => {
  for (const type of ['application/jsonl', 'application/x-ndjson; charset=UTF-8', 'application/json-lines']) {
    const http = await openHttp()
    const lines = jsonLines(
      { 'svm.name': 'svm1', 'volume.name': 'vol1', type: 'tree', 'qtree.name': '', 'space.hard_limit': '40M' },
      {
        svm: { name: 'svm1' },
        volume: { name: 'vol2' },
        type: 'group',
        group: { name: 'staff' },
        files: { hard_limit: 9 },
      },
    )
    expect(await send(http, lines, '', type)).toMatchObject({ status: 200, body: { num_created: 2 } })
    expect(await http.storage.quotaRules.count({ all: [] })).toBe(3)
  }
})

it('accepts a byte order mark, CRLF and blank lines, and counts them as lines', async () => {
  const http = await openHttp()
  const file = '\uFEFFtype,qtree.name\r\n\r\n  \r\ntree,q1\r\ntree,q2'
  expect((await send(http, file)).body).toMatchObject({ num_created: 2 })
  expect((await send(http, `${file}\r\nnonsense,q3\r\n`)).body.error.target).toBe('line 6: type')
  expect(
    (await send(http, `\uFEFF${jsonLines({ type: 'tree', qtree: { name: 'q1' } })}`, AT, 'application/jsonl')).status,
  ).toBe(200)
})

it('reads the empty name and names with quotes and commas from quoted values', async () => {
  const http = await openHttp()
  const file = csv(
    'type,qtree.name,users.name,users.id,group.name',
    'tree,"""""",,,',
    'user,,"""a,b"",""c """"d""""""",S-1-5-21-1,',
    'user,q,"""""",,',
    'group,,,,"""say """"hi"""""""',
  )
  expect(await send(http, file)).toMatchObject({ status: 200, body: { num_created: 4 } })
  const rules = await rulesOf(http)
  expect(rules).toContainEqual(expect.objectContaining({ type: 'tree', qtree: expect.objectContaining({ name: '' }) }))
  const users = [{ name: 'a,b' }, { name: 'c "d"' }, { id: 'S-1-5-21-1' }]
  expect(rules).toContainEqual(expect.objectContaining({ users }))
  expect(rules).toContainEqual(expect.objectContaining({ group: { name: 'say "hi"' } }))
})

it('returns the differences of a dry run in the order of the lines, and changes nothing', async () => {
  const http = await openHttp()
  const one = await makeRule(http, { qtree: { name: 'q1' }, space: { hard_limit: MiB } })
  const two = await makeRule(http, { qtree: { name: 'q2' }, files: { hard_limit: 7 } })
  const before = await rulesOf(http)
  const file = csv('type,qtree.name,space.hard_limit', 'tree,q3,', 'tree,q1,2M')
  const { status, body } = await send(http, file, `${AT}&dry_run=true&delete_missing=true`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ dry_run: true, num_records: 3, num_created: 1, num_modified: 1, num_deleted: 1 })
  expect(body).not.toHaveProperty('jobs')
  expect(body.records).toMatchObject([
    { line: 2, action: 'create', type: 'tree', qtree: { name: 'q3' }, after: {} },
    {
      line: 3,
      action: 'modify',
      uuid: one.uuid,
      before: { space: { hard_limit: MiB } },
      after: { space: { hard_limit: 2 * MiB } },
    },
    { action: 'delete', uuid: two.uuid, before: { files: { hard_limit: 7 } } },
  ])
  expect(body.records[0]).not.toHaveProperty('uuid')
  expect(body.records[2]).not.toHaveProperty('line')
  expect((await send(http, file, `${AT}&dry_run&max_records=1`)).body.records).toHaveLength(1)
  expect(await rulesOf(http)).toEqual(before)
})

it('deletes the rules that the file lacks, and keeps default rules that others need', async () => {
  const http = await openHttp()
  await makeRule(http, { qtree: { name: 'q1' } })
  await makeRule(http, { type: 'user', users: [{ name: 'ada' }], qtree: undefined })
  const other = { volume: { name: 'vol2' }, qtree: { name: 'q1' } }
  await makeRule(http, other)
  const { body } = await send(http, csv('type,qtree.name', 'tree,q2'), `${AT}&delete_missing=true`)
  expect(body).toMatchObject({ num_created: 1, num_deleted: 3 })
  const left = await rulesOf(http, 'volume.name=vol1')
  expect(left.map(({ qtree }: { qtree: { name: string } }) => qtree.name).sort()).toEqual(['', 'q2'])
  expect(await rulesOf(http, 'volume.name=vol2')).toHaveLength(2)
  const emptied = await send(http, '', 'svm.name=svm1&volume.name=vol2&delete_missing=true', 'application/jsonl')
  expect(emptied.body).toMatchObject({ num_deleted: 2 })
})

const refusals: readonly (readonly [string, string, string, RegExp])[] = [
  ['an unknown column', 'type,nonsense\n', 'line 1: nonsense', /Unexpected column/],
  ['a column that a request cannot set', 'type,uuid\n', 'line 1: uuid', /Unexpected column/],
  ['a column that is given twice', 'type,type\n', 'line 1: type', /specified twice/],
  ['a prototype key as a column', 'type,__proto__\n', 'line 1: __proto__', /Unexpected column/],
  ['too many cells', 'type,qtree.name\ntree,a\ntree,b,c\n', 'line 3', /3 cells, and the header 2/],
  ['a quote that is not closed', 'type,qtree.name\ntree,"a\ntree,b\n', 'line 2', /not closed/],
  [
    'a limit that is not a number',
    'type,qtree.name,space.hard_limit\ntree,a,many\n',
    'line 2: space.hard_limit',
    /expected/,
  ],
  [
    'a huge limit',
    'type,qtree.name,space.hard_limit\ntree,a,99999999999999999999\n',
    'line 2: space.hard_limit',
    /out of range/,
  ],
  [
    'a soft limit above the hard one',
    'type,qtree.name,space.hard_limit,space.soft_limit\ntree,a,1M,2M\n',
    'line 2: space.soft_limit',
    /larger/,
  ],
  ['a row without a type', 'type,qtree.name\n,a\n', 'line 2: type', /Missing value/],
  ['a target that is given twice', 'type,qtree.name\ntree,a\ntree,b\ntree,a\n', 'line 4', /Line 2 already/],
  ['a user that is given twice', 'type,users.name\nuser,"ada,alan"\nuser,alan\n', 'line 3', /Line 2 already/],
  ['a part of the users of a rule', 'type,users.name\nuser,eve\nuser,sam\n', 'line 3: users', /other users/],
  ['more than the users of a rule', 'type,users.name\nuser,"sam,smith,eve"\n', 'line 2: users', /other users/],
  ['a name with a NUL', 'type,qtree.name\ntree,a\0b\n', 'line 2: qtree.name', /NUL/],
  ['a volume that does not exist', 'type,qtree.name,volume.name\ntree,a,other\n', 'line 2: volume', /not found/],
  ['several values of a group', 'type,group.name\ngroup,"""a"",b"\n', 'line 2: group.name', /several values/],
  ['a file without a header', '\n', '', /names of columns/],
]
it.each(refusals)('refuses %s with its line, and changes nothing', async (_, file, target, message) => {
  const http = await openHttp()
  await makeRule(http, { type: 'user', users: [{ name: 'sam' }, { name: 'smith' }], qtree: undefined })
  const before = await rulesOf(http)
  const { status, body } = await send(http, file)
  expect([400, 404, 409]).toContain(status)
  expect(body.error.message).toMatch(message)
  expect(body.error.target ?? '').toBe(target)
  expect(await rulesOf(http)).toEqual(before)
})

const badLines: readonly (readonly [string, string, RegExp])[] = [
  ['a line that is not JSON', '{"type":', /Invalid JSON/],
  ['a deep line', `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`, /nested too deeply/],
  ['a list', '[]', /JSON object|Missing value/],
  ['a repeated key', '{"type":"tree","type":"user"}', /specified twice/],
  ['an unknown field', '{"type":"tree","qtree":{"name":"a"},"nonsense":1}', /Unexpected argument/],
  ['a line of more than 128 KiB', `{"type":"${'x'.repeat(2 ** 17)}"}`, /at most 131072 bytes/],
]
it.each(badLines)('refuses %s among JSON lines', async (_, line, message) => {
  const http = await openHttp()
  const file = `${jsonLines({ type: 'tree', qtree: { name: 'a' } })}${line}\n`
  const { status, body } = await send(http, file, AT, 'application/jsonl')
  expect(status).toBe(400)
  expect(body.error.message).toMatch(message)
  expect(body.error.target).toMatch(/^line 2/)
  expect(await rulesOf(http)).toEqual([])
})

it('ignores prototype keys of a JSON line', async () => {
  const http = await openHttp()
  const line = '{"type":"tree","qtree":{"name":"a"},"__proto__":{"polluted":1}}\n'
  expect((await send(http, line, AT, 'application/jsonl')).status).toBe(200)
  expect({}).not.toHaveProperty('polluted')
})

it('refuses bytes that are not UTF-8, with their line', async () => {
  const http = await openHttp()
  const latin = new Uint8Array([...new TextEncoder().encode('type,qtree.name\ntree,a\ntree,'), 0xe9, 10])
  const answered = await http.ask('POST', `${IMPORT}?${AT}`, {
    body: new Blob([latin]),
    headers: { 'content-type': 'text/csv' },
  })
  expect(answered).toMatchObject({ status: 400, body: { error: { target: 'line 3' } } })
  expect(answered.body.error.message).toMatch(/UTF-8/)
})

it('refuses other content types and charsets', async () => {
  const http = await openHttp()
  for (const type of ['application/json', 'text/plain', 'text/csv; charset=latin1']) {
    const { status, body } = await send(http, csv('type,qtree.name', 'tree,a'), AT, type)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: '262197', target: 'content-type' })
  }
})

it('refuses unknown, repeated and invalid parameters', async () => {
  const http = await openHttp()
  const file = csv('type,qtree.name', 'tree,a')
  expect((await send(http, file, `${AT}&nonsense=1`)).body.error.target).toBe('nonsense')
  expect((await send(http, file, `${AT}&dry_run=perhaps`)).body.error.target).toBe('dry_run')
  expect((await send(http, file, `${AT}&dry_run=true&dry_run=false`)).body.error.target).toBe('dry_run')
  expect((await send(http, file, `${AT}&dry_run=false`)).body).toMatchObject({ num_created: 1 })
})

it('takes 10,000 rules and refuses 10,001, and files above 2 MiB', async () => {
  const http = await openHttp()
  const rows = Array.from({ length: 10_000 }, (_, index) => `tree,q${index},1M`)
  const header = 'type,qtree.name,space.hard_limit'
  expect((await send(http, csv(header, ...rows), `${AT}&dry_run=true`)).body).toMatchObject({ num_created: 10_000 })
  const { status, body } = await send(http, csv(header, ...rows, 'tree,last,'))
  expect(status).toBe(400)
  expect(body.error).toMatchObject({ target: 'line 10002', message: 'Line 10002: A file has at most 10000 rules.' })
  expect((await send(http, 'x'.repeat(2 ** 21 + 1))).status).toBe(413)
  for (const unit of [',', '\n', '"', '"",']) {
    const hostile = await send(http, unit.repeat(2 ** 21 / unit.length))
    expect(hostile.status).toBe(400)
  }
})

it('takes the SVM of the header for rules that name none', async () => {
  const http = await openHttp()
  const headers = { 'content-type': 'text/csv', 'x-dot-svm-name': 'svm1' }
  const file = csv('type,volume.name,qtree.name', 'tree,vol1,a')
  expect((await http.ask('POST', IMPORT, { body: file, headers })).body).toMatchObject({ num_created: 1 })
  const other = csv('type,svm.name,volume.name,qtree.name', 'tree,other,vol1,a')
  expect((await http.ask('POST', IMPORT, { body: other, headers })).body.error.target).toBe('line 2: svm')
})

it('refuses a limit that the file system cannot enforce, with its line', async () => {
  const http = await openHttp({
    backend: (volume) => ({
      ...volume,
      unsupported: async (limits) =>
        limits.flatMap(({ target, limits: { filesHard } }) =>
          filesHard === undefined ? [] : { target, limits: ['filesHard'] as const, reason: 'there are no file limits' },
        ),
    }),
  })
  const file = csv('type,qtree.name,files.hard_limit', 'tree,a,', 'tree,b,5', 'tree,c,6')
  const { status, body } = await send(http, file)
  expect(status).toBe(400)
  expect(body.error).toMatchObject({ code: '5308599', target: 'line 3' })
  expect(await rulesOf(http)).toEqual([])
})

it('enforces the rules of a volume whose quotas are on by one job for each volume', async () => {
  const http = await openHttp()
  for (const name of ['q1', 'q2', 'q3']) await makeQtree(http, name)
  await makeRule(http, { qtree: { name: 'q1' }, space: { hard_limit: MiB } })
  await switchQuota(http, true)
  const file = csv(
    'type,volume.name,qtree.name,space.hard_limit',
    'tree,vol1,q1,2M',
    'tree,vol1,q2,3M',
    'tree,vol2,q1,1M',
  )
  const { status, body } = await send(http, file, 'svm.name=svm1&return_timeout=30')
  expect(status).toBe(200)
  expect(body).toMatchObject({ num_created: 2, num_modified: 1 })
  expect(body.jobs).toHaveLength(1)
  const { body: job } = await http.get(`/api/cluster/jobs/${body.jobs[0].uuid}?fields=*`)
  expect(job).toMatchObject({ state: 'success', description: `POST ${IMPORT}` })
  expect(await stateOf(http, http.vol1)).toBe('on')
  expect(() => http.volume.files.write('q2/f', { size: 4 * MiB })).toThrow(/space limit of 3145728 bytes/)
  http.volume.files.write('q1/f', { size: 1.5 * MiB })
  const dropped = await send(http, csv('type,qtree.name', 'tree,q1'), `${AT}&delete_missing=true&return_timeout=30`)
  expect(dropped).toMatchObject({ status: 200, body: { num_modified: 1, num_deleted: 1 } })
  http.volume.files.write('q2/f', { size: 4 * MiB })
  http.volume.files.write('q1/f', { size: 9 * MiB })
})

it('reports rules that need a new scan with their number, and enforces the others', async () => {
  const http = await openHttp()
  await makeQtree(http, 'q1')
  await makeRule(http, { qtree: { name: 'q1' } })
  await switchQuota(http, true)
  const file = csv('type,qtree.name,users.name,space.hard_limit', 'tree,q1,,2M', 'user,,sam,1M', 'user,,smith,1M')
  const { status, body } = await send(http, file, `${AT}&return_timeout=30`)
  expect(status).toBe(409)
  expect(body.error).toMatchObject({ code: '5308571' })
  expect(body.error.message).toMatch(/^3 rules of the volume are not enforced yet\./)
  expect(body).toMatchObject({ num_created: 2, num_modified: 1 })
  expect(() => http.volume.files.write('q1/f', { size: 3 * MiB, user: 'sam' })).toThrow(/2097152/)
  const emptied = await send(http, '', `${AT}&delete_missing=true&return_timeout=30`, 'application/jsonl')
  expect(emptied.status).toBe(409)
  expect(emptied.body.error).toMatchObject({ code: '5308572' })
  await switchQuota(http, false)
  await switchQuota(http, true)
  http.volume.files.write('q1/f', { size: 3 * MiB, user: 'sam' })
})

it('returns a job that has not ended with 202', async () => {
  const http = await openHttp()
  await makeQtree(http, 'q1')
  await makeRule(http, { qtree: { name: 'q1' } })
  await switchQuota(http, true)
  const { status, body } = await send(http, csv('type,qtree.name,space.hard_limit', 'tree,q1,2M'))
  expect(status).toBe(202)
  expect(body.jobs).toMatchObject([{ _links: { self: { href: `/api/cluster/jobs/${body.jobs[0].uuid}` } } }])
})

it('exports the rules that match, as a file with a name', async () => {
  const http = await openHttp()
  await makeRule(http, { qtree: { name: 'q,1' }, space: { hard_limit: MiB } })
  await makeRule(http, { type: 'user', users: [{ name: 'a"b' }, { id: '7' }], qtree: undefined })
  const exported = await http.get(`${EXPORT}?type=tree&order_by=space.hard_limit desc`)
  expect(exported.status).toBe(200)
  expect(exported.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(exported.headers.get('content-disposition')).toBe('attachment; filename="quota-rules.csv"')
  expect(exported.text.split('\n')).toEqual([
    'svm.name,volume.name,type,users.name,users.id,group.name,group.id,qtree.name,user_mapping,space.hard_limit,space.soft_limit,files.hard_limit,files.soft_limit,grace_period,thresholds',
    'svm1,vol1,tree,,,,,"q,1",,1048576,,,,,',
    'svm1,vol1,tree,,,,,"""""",,,,,,,',
    '',
  ])
  const lines = await http.get(`${EXPORT}?format=jsonl&users.id=7`)
  expect(lines.headers.get('content-type')).toBe('application/jsonl')
  expect(JSON.parse(lines.text)).toEqual({
    svm: { name: 'svm1' },
    volume: { name: 'vol1' },
    type: 'user',
    users: [{ name: 'a"b' }, { id: '7' }],
  })
  for (const query of ['format=xml', 'format=csv&format=jsonl', 'fields=uuid', 'max_records=1', 'nonsense=1']) {
    expect((await http.get(`${EXPORT}?${query}`)).status).toBe(400)
  }
})

it('exports more rules than a page', async () => {
  const http = await openHttp()
  const rows = Array.from({ length: 2500 }, (_, index) => `tree,q${index}`)
  await send(http, csv('type,qtree.name', ...rows))
  const { text } = await http.get(EXPORT)
  expect(new Set(text.trim().split('\n')).size).toBe(2502)
})

it('plans again after a change by others, and returns 409 after 5 attempts', async () => {
  const http = await openHttp()
  const rule = await makeRule(http, { qtree: { name: 'q1' }, space: { hard_limit: MiB } })
  const { quotaRules } = http.repositories
  const apply = quotaRules.applyBatch.bind(quotaRules)
  let attempts = 0
  Reflect.set(quotaRules, 'applyBatch', async (batch: Parameters<typeof apply>[0]) => {
    attempts += 1
    if (attempts === 1) await http.delete(`${RULES}/${rule.uuid}`)
    return apply(batch)
  })
  const file = csv('type,qtree.name,space.hard_limit', 'tree,q1,2M', 'tree,q2,3M')
  expect((await send(http, file)).body).toMatchObject({ num_created: 2, num_modified: 0 })
  expect(attempts).toBe(2)
  let number = 0
  Reflect.set(quotaRules, 'applyBatch', async () => {
    number += 1
    return false
  })
  const lost = await send(http, csv('type,qtree.name', 'tree,q3'))
  expect(lost).toMatchObject({ status: 409, body: { error: { code: '1' } } })
  expect(number).toBe(5)
})

it('stores one of two files that are imported at the same time, never a part of each', async () => {
  const http = await openHttp()
  const file = (limit: string) =>
    csv('type,qtree.name,space.hard_limit', ...Array.from({ length: 1000 }, (_, index) => `tree,q${index},${limit}`))
  await send(http, file('2G'))
  const { quotaRules } = http.repositories
  const find = quotaRules.findByKeys.bind(quotaRules)
  let reads = 0
  // The first lines are unchanged when another import changes them.
  Reflect.set(quotaRules, 'findByKeys', async (...request: Parameters<typeof find>) => {
    reads += 1
    if (reads === 3) {
      Reflect.set(quotaRules, 'findByKeys', find)
      expect((await send(http, file('1G'))).body).toMatchObject({ num_modified: 1000 })
    }
    return find(...request)
  })
  expect((await send(http, file('2G'))).body).toMatchObject({ num_modified: 1000, num_unchanged: 0 })
  expect(await http.storage.quotaRules.count({ all: [] })).toBe(1001)
  expect((await http.get(`${RULES}?space.hard_limit=2G&return_records=false`)).body.num_records).toBe(1000)
})

it('sets the limits again after a crash in the middle of them', async () => {
  let failures = 1
  const http = await openHttp({
    backend: (volume) => ({
      ...volume,
      changeLimits: async (change) => {
        await volume.changeLimits(change)
        if (failures-- > 0) throw new StoreFailure(new Error('the process has ended'))
      },
    }),
  })
  for (const name of ['q1', 'q2']) await makeQtree(http, name)
  await makeRule(http, { qtree: { name: 'q1' } })
  await switchQuota(http, true)
  const { status } = await send(
    http,
    csv('type,qtree.name,space.hard_limit', 'tree,q1,2M', 'tree,q2,3M'),
    `${AT}&return_timeout=30`,
  )
  expect(status).toBe(200)
  expect(failures).toBe(-1)
  for (const name of ['q1', 'q2'])
    expect(() => http.volume.files.write(`${name}/f`, { size: 4 * MiB })).toThrow(/space limit/)
})

it('records the progress of many limits on the job', async () => {
  const http = await openHttp()
  for (let number = 0; number < 1100; number += 1) await makeQtree(http, `q${number}`)
  await makeRule(http, { qtree: { name: '' } })
  await switchQuota(http, true)
  const rows = Array.from({ length: 1100 }, (_, index) => `tree,q${index},1M`)
  const { body } = await send(http, csv('type,qtree.name,space.hard_limit', ...rows), `${AT}&return_timeout=60`)
  const job = (await http.storage.jobs.find(body.jobs[0].uuid))._unsafeUnwrap()
  expect(job).toMatchObject({ state: 'success', progress: { done: 3, total: 3 } })
})

it('returns 503 for an export whose store fails before the first line, and imports nothing then', async () => {
  const repositories = memoryStorageRepositories()
  const faults: unknown[] = []
  const http = await openHttp({ repositories, onFault: (fault) => faults.push(fault) }, { onFault: () => undefined })
  const fail = async () => {
    throw new Error('the store has failed')
  }
  Reflect.set(repositories.quotaRules, 'list', fail)
  Reflect.set(repositories.quotaRules, 'applyBatch', fail)
  expect((await http.get(EXPORT)).status).toBe(503)
  expect((await send(http, csv('type,qtree.name', 'tree,a'))).status).toBe(503)
})

it('refuses to delete more than 10,000 rules', async () => {
  const http = await openHttp()
  const rows = Array.from({ length: 10_000 }, (_, index) => `tree,q${index}`)
  expect((await send(http, csv('type,qtree.name', ...rows))).status).toBe(200)
  // The default rule of the trees is one more.
  const { status, body } = await send(http, '', `${AT}&delete_missing=true`, 'application/jsonl')
  expect(status).toBe(400)
  expect(body.error).toMatchObject({ target: 'delete_missing', message: 'More than 10000 rules would be deleted.' })
  await http.delete(`${RULES}?qtree.name=""`)
  const left = await send(http, '', `${AT}&delete_missing=true`, 'application/jsonl')
  expect(left.body).toMatchObject({ num_deleted: 10_000 })
})

it('rejects a rule of another type as a fault of the host, with nothing changed', async () => {
  const { storage } = await openHttp()
  const rule = {
    svm: { name: 'svm1' },
    volume: { name: 'vol1' },
    type: 'tree',
    qtree: '',
    limits: {},
    line: 1,
  } as const
  const wrong: object = { ...rule, type: 'project', line: 2 }
  const request = Object.assign({ rules: [rule] }, { rules: [rule, wrong] })
  await expect(storage.ruleImports.apply(request)).rejects.toThrow(/^'type' of 'apply' must be .*, not "project"\.$/)
  await expect(storage.ruleImports.plan(request)).rejects.toThrow(TypeError)
  expect(await storage.quotaRules.count({ all: [] })).toBe(0)
  expect(() => storage.ruleImports.plan({ rules: Array(10_001).fill(rule) })).toThrow(RangeError)
})
