import { describe, expect, it } from 'vitest'
import { JOBS, makeQtree, makeRule, nodeOf, openHttp, QTREES, RULES, ruleBody, TOKENS, VOLUMES } from './open-http.ts'

describe('the API of quota rules', () => {
  const user = { type: 'user', qtree: undefined }
  const group = { type: 'group', qtree: undefined }
  it.each<[string, Readonly<Record<string, unknown>>, string, string | undefined, number?]>([
    ['a rule without an SVM', { svm: undefined }, '2621707', 'svm'],
    ['an unknown SVM', { svm: { name: 'nobody' } }, '2621462', 'svm', 404],
    ['an SVM by a wrong id', { svm: { name: 'svm1', uuid: 'x' } }, '2621462', 'svm', 404],
    ['a rule without a volume', { volume: {} }, '918232', 'volume'],
    ['an unknown volume', { volume: { name: 'vol9' } }, '917927', 'volume', 404],
    ['a volume of another SVM', { svm: { name: 'svm2' } }, '917927', 'volume', 404],
    ['a rule without a type', { type: undefined }, '262177', 'type'],
    ['an unknown type', { type: 'project' }, '262197', 'type'],
    ['a tree rule without a qtree', { qtree: undefined }, '5308564', 'qtree.name'],
    ['users in a tree rule', { users: [{ name: 'a' }] }, '262186', 'users'],
    ['a group in a tree rule', { group: { name: 'a' } }, '262186', 'group'],
    ['users and a group', { ...user, users: [{ name: 'a' }], group: { name: 'b' } }, '262186', 'group'],
    ['a user rule without users', user, '5308562', 'users'],
    ['an empty array of users', { ...user, users: [] }, '5308562', 'users'],
    ['a user with a name and an id', { ...user, users: [{ name: 'a', id: '1' }] }, '5308565', 'users'],
    ['a user with neither a name nor an id', { ...user, users: [{}] }, '5308565', 'users'],
    ['the default user among others', { ...user, users: [{ name: '' }, { name: 'a' }] }, '262197', 'users'],
    ['a group rule without a group', group, '5308563', 'group'],
    ['a group with a name and an id', { ...group, group: { name: 'a', id: '1' } }, '5308566', 'group'],
    ['user_mapping in a tree rule', { user_mapping: true }, '5308469', 'user_mapping'],
    ['a user id that is a word', { ...user, users: [{ id: 'abc' }] }, '262197', 'users'],
    ['a number with leading zeros as a name', { ...user, users: [{ name: '007' }] }, '262197', 'users'],
    ['a negative user id', { ...user, users: [{ id: -7 }] }, '262197', 'users'],
    ['a user id above 32 bits', { ...user, users: [{ id: '4294967296' }] }, '262197', 'users'],
    ['a group id that is a word', { ...group, group: { id: 'abc' } }, '262197', 'group'],
    ['users that are an object', { ...user, users: { name: 'a' } }, '262197', 'users'],
    ['user_mapping for a user by id', { ...user, users: [{ id: '7' }], user_mapping: true }, '5308478', 'user_mapping'],
    ['a negative limit', { space: { hard_limit: -2 } }, '5308574', 'space.hard_limit'],
    ['a limit above 2^53', { files: { soft_limit: 1e20 } }, '5308574', 'files.soft_limit'],
    ['a fractional limit', { space: { hard_limit: 0.5 } }, '262197', 'space.hard_limit'],
    ['a limit that is a word', { space: { hard_limit: 'much' } }, '262197', 'space.hard_limit'],
    ['a limit that is an object', { space: { hard_limit: {} } }, '262197', 'space.hard_limit'],
    ['a limit that is an array', { space: { hard_limit: [1] } }, '262255', 'space.hard_limit'],
    [
      'a soft limit above the hard limit',
      { space: { soft_limit: 9000, hard_limit: 8000 } },
      '5308575',
      'space.soft_limit',
    ],
    [
      'a soft file limit above the hard limit',
      { files: { soft_limit: 9, hard_limit: 8 } },
      '5308575',
      'files.soft_limit',
    ],
    ['an unknown field', { colour: 'red' }, '262179', 'colour'],
    ['an unknown nested field', { space: { hard: 1 } }, '262179', 'space.hard'],
    ['an unknown field of a user', { ...user, users: [{ name: 'a', colour: 'red' }] }, '262179', 'users.0.colour'],
    ['a user whose name is null', { ...user, users: [{ name: null }] }, '262197', 'users.0.name'],
    ['a user whose name is an array', { ...user, users: [{ name: ['a'] }] }, '262255', 'users.0.name'],
    ['a user that is a boolean', { ...user, users: [true] }, '262197', 'users.0'],
    ['a field that cannot be set', { uuid: 'x' }, '262196', 'uuid'],
    ['users that are a number', { ...user, users: 7 }, '262197', 'users'],
    ['an SVM that is an array', { svm: ['svm1'] }, '262255', 'svm'],
    ['a name that is a number', { volume: { name: 7 } }, '262197', 'volume.name'],
    [
      'a flag that is another word',
      { ...user, users: [{ name: 'a' }], user_mapping: 'perhaps' },
      '262197',
      'user_mapping',
    ],
    ['a qtree outside the volume', { qtree: { name: '../etc' } }, '262197', 'qtree'],
    ['a name with a NUL', { qtree: { name: 'a\u0000b' } }, '262197', 'qtree.name'],
    ['a name with a control character', { qtree: { name: 'a\u0001b' } }, '262197', 'qtree'],
    ['a name with an unpaired surrogate', { ...user, users: [{ name: '\ud800' }] }, '262197', 'users.0.name'],
    ['a name of 300 characters', { ...user, users: [{ name: 'a'.repeat(300) }] }, '262197', 'users'],
    [
      'more than 1,000 users',
      { ...user, users: Array.from({ length: 1001 }, (_, index) => ({ name: `u${index}` })) },
      '262197',
      'users',
    ],
  ])('refuses %s, names the field and changes nothing', async (_, changes, code, target, status = 400) => {
    const http = await openHttp({ svms: ['svm2'] })
    const answer = await http.post(RULES, ruleBody(changes))
    expect(answer).toMatchObject({ status, body: { error: { code, ...(target && { target }) } } })
    expect(answer.body.error.message).toMatch(/\w/)
    expect((await http.get(RULES)).body.num_records).toBe(0)
  })

  it('refuses a second rule for the same target', async () => {
    const http = await openHttp()
    await makeRule(http)
    await makeRule(http, { type: 'user', users: [{ name: 'a' }, { name: 'b' }], qtree: undefined })
    await makeRule(http, { type: 'user', users: [{ id: '7' }], qtree: undefined })
    const shared = { type: 'user', users: [{ name: 'b' }, { name: 'c' }], qtree: { name: '' } }
    const zeros = { type: 'user', users: [{ id: '007' }], qtree: undefined }
    for (const changes of [{}, { qtree: { name: '' } }, shared, zeros]) {
      const answer = await http.post(RULES, ruleBody(changes))
      expect(answer).toMatchObject({ status: 409, body: { error: { code: '1' } } })
    }
    expect((await http.get(RULES)).body.num_records).toBe(5)
  })

  it.each<[string, unknown, string, string | undefined]>([
    ['a field that cannot be set', { users: [{ name: 'b' }] }, '262196', 'users'],
    ['an unknown field', { colour: 1 }, '262179', 'colour'],
    ['a soft limit above the stored hard limit', { space: { soft_limit: 99_999 } }, '5308575', 'space.soft_limit'],
    ['user_mapping of a tree rule', { user_mapping: true }, '5308469', 'user_mapping'],
    ['an array as the body', [1], '262177', undefined],
    ['a text as the body', '"text"', '262177', undefined],
  ])('refuses a PATCH with %s and changes nothing', async (_, body, code, target) => {
    const http = await openHttp()
    const { uuid } = await makeRule(http, { space: { hard_limit: 8192 } })
    const answer = await http.patch(`${RULES}/${uuid}`, body)
    expect(answer).toMatchObject({ status: 400, body: { error: { code, ...(target && { target }) } } })
    expect((await http.get(`${RULES}/${uuid}`)).body.space).toEqual({ hard_limit: 8192 })
  })
})

it('refuses to set user_mapping for a rule whose users are ids', async () => {
  const http = await openHttp()
  const { uuid } = await makeRule(http, { type: 'user', qtree: undefined, users: [{ id: '7' }] })
  const answer = await http.patch(`${RULES}/${uuid}`, { user_mapping: true })
  expect(answer).toMatchObject({ status: 400, body: { error: { code: '5308478', target: 'user_mapping' } } })
  expect((await http.get(`${RULES}/${uuid}`)).body).not.toHaveProperty('user_mapping')
})

it.each([
  [{ type: 'project' }, '"project" is an invalid value for field "type": expected "tree", "user" or "group".'],
  [{ type: 'user', users: { name: 'a' } }, 'An object is an invalid value for field "users": expected an array.'],
  [{ space: { hard_limit: 0.5 } }, '0.5 is an invalid value for field "space.hard_limit": an integer is expected.'],
])('the message for %j states the value and what is allowed', async (changes, message) => {
  const http = await openHttp()
  const { body } = await http.post(RULES, ruleBody(changes))
  expect(body.error.message).toBe(message)
})

it('refuses a soft limit that a concurrent change of the hard limit makes too large', async () => {
  const http = await openHttp()
  const { uuid } = await makeRule(http)
  const answers = await Promise.all([
    http.patch(`${RULES}/${uuid}`, { space: { hard_limit: 2048 } }),
    http.patch(`${RULES}/${uuid}`, { space: { soft_limit: 4096 } }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 400])
  expect(answers[1]?.body.error).toMatchObject({ code: '5308575', target: 'space.soft_limit' })
  expect((await http.get(`${RULES}/${uuid}`)).body.space).toEqual({ hard_limit: 2048 })
})

describe('the parser of bodies', () => {
  it.each([
    ['that is not JSON', '{"type": tree}', '262199'],
    ['that is cut off', '{"type":', '262199'],
    ['with a field twice', '{"type":"tree","type":"user"}', '262188'],
    ['with a nested field twice', '{"svm":{"name":"a","name":"b"}}', '262188'],
    ['with a field twice, once escaped', '{"type":"tree","t\\u0079pe":"user"}', '262188'],
    ['with a field dotted and nested', '{"svm":{"name":"a"},"svm.name":"a"}', '262188'],
    ['that is nested 40 levels deep', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, '262199'],
    ['with a name of 41 parts', `{"${'a.'.repeat(40)}a":1}`, '262199'],
    ['that is empty', '', '262177'],
  ])('refuses a body %s', async (_, body, code) => {
    const http = await openHttp()
    expect(await http.post(RULES, body)).toMatchObject({ status: 400, body: { error: { code } } })
    expect((await http.get(RULES)).body.num_records).toBe(0)
  })

  it('refuses a body that is too large', async () => {
    const http = await openHttp()
    const answer = await http.post(RULES, { ...ruleBody(), comment: 'x'.repeat(2 ** 21) })
    expect(answer.status).toBe(413)
  })

  it('refuses the body of a DELETE unless it is empty', async () => {
    const http = await openHttp()
    const { uuid } = await makeRule(http)
    const headers = { 'content-type': 'application/json', 'content-length': '14' }
    const refused = await http.ask('DELETE', `${RULES}/${uuid}`, { body: { type: 'tree' }, headers })
    expect(refused).toMatchObject({ status: 400, body: { error: { code: '262198' } } })
    const empty = await http.ask('DELETE', `${RULES}/${uuid}`, {
      body: {},
      headers: { ...headers, 'content-length': '2' },
    })
    expect(empty.status).toBe(200)
  })

  it('treats names of prototypes as names of fields', async () => {
    const http = await openHttp()
    for (const body of ['{"__proto__.x":1}', '{"constructor.prototype.x":1}', '{"svm.__proto__":{"name":"svm1"}}']) {
      expect((await http.post(RULES, body)).status).toBe(400)
    }
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
  })
})

describe('the parser of queries', () => {
  it.each([
    ['colour=red', '262179', 'colour'],
    ['space.hard_limit=x', '262197', 'space.hard_limit'],
    ['space.hard_limit=>', '262197', 'space.hard_limit'],
    ['space.hard_limit=1..2..3', '262197', 'space.hard_limit'],
    ['space.hard_limit=99999999999999999999', '262197', 'space.hard_limit'],
    ['qtree.name="open', '262197', 'qtree.name'],
    ['type=project', '262197', 'type'],
    ['user_mapping=perhaps', '262197', 'user_mapping'],
    ['qtree.name=a%00b', '262197', 'qtree.name'],
    ['fields=colour', '262197', 'fields'],
    ['order_by=colour', '262197', 'order_by'],
    ['order_by=type sideways', '262197', 'order_by'],
    ['max_records=0', '262197', 'max_records'],
    ['max_records=-5', '262197', 'max_records'],
    ['max_records=ten', '262197', 'max_records'],
    ['max_records=1&max_records=2', '262188', 'max_records'],
    ['return_timeout=121', '262197', 'return_timeout'],
    ['return_records=perhaps', '262197', 'return_records'],
    ['start.colour=1', '262179', 'start.colour'],
    ['order_by=space.hard_limit&start.space.hard_limit=x', '262197', 'start.space.hard_limit'],
    ['query=a', '262177', 'query_fields'],
    ['query=a&query_fields=colour', '262179', 'colour'],
    ['query=a..b..c&query_fields=type', '262197', 'query'],
  ])('refuses `%s`', async (query, code, target) => {
    const http = await openHttp()
    expect(await http.get(`${RULES}?${query}`)).toMatchObject({ status: 400, body: { error: { code, target } } })
  })

  it('refuses a query of more than 10,000 conditions', async () => {
    const http = await openHttp()
    const values = Array.from({ length: 1000 }, (_, index) => index).join('|')
    const names =
      'svm.uuid,svm.name,volume.uuid,volume.name,users.name,users.id,group.name,group.id,qtree.name,qtree.id'
    const asked = (fields: string) => http.get(`${RULES}?query=${values}&query_fields=${fields}`)
    expect(await asked(names)).toMatchObject({ status: 200 })
    expect(await asked(`${names},space.hard_limit`)).toMatchObject({ status: 400, body: { error: { code: '262197' } } })
    expect(await asked(`${names},${names}`)).toMatchObject({ status: 200 })
  })

  it.each([
    [VOLUMES, 'size', 'size'],
    [VOLUMES, 'space.used', 'space'],
    [QTREES, 'path', 'path'],
    [JOBS, 'code', 'code'],
  ])('refuses a query of %s on the member %s, which records only show', async (path, name, shown) => {
    const http = await openHttp()
    await makeQtree(http, 'qt1')
    const { body } = await http.get(`${path}?fields=${name}`)
    expect(body.records[0]).toHaveProperty(shown)
    const refused = { status: 400, body: { error: { target: name } } }
    expect(await http.get(`${path}?${name}=!null`)).toMatchObject(refused)
    expect(await http.get(`${path}?query=1&query_fields=${name}`)).toMatchObject(refused)
    expect(await http.get(`${path}?order_by=${name}`)).toMatchObject({
      status: 400,
      body: { error: { target: 'order_by' } },
    })
  })

  it('refuses an unknown parameter of a request that changes or creates a record', async () => {
    const http = await openHttp()
    const { uuid } = await makeRule(http)
    const bad = { status: 400, body: { error: { code: '262179', target: 'colour' } } }
    expect(await http.post(`${RULES}?colour=1`, ruleBody())).toMatchObject(bad)
    expect(await http.patch(`${RULES}/${uuid}?colour=1`, {})).toMatchObject(bad)
    expect(await http.delete(`${RULES}/${uuid}?colour=1`)).toMatchObject(bad)
    expect(await http.delete(`${RULES}?colour=1`)).toMatchObject(bad)
    expect((await http.get(RULES)).body.num_records).toBe(2)
  })

  it('refuses `validate_only`, which is not supported', async () => {
    const http = await openHttp()
    expect(await http.post(`${RULES}?validate_only=true`, ruleBody())).toMatchObject({
      status: 400,
      body: { error: { code: '262179', target: 'validate_only' } },
    })
    expect((await http.get(RULES)).body.num_records).toBe(0)
  })
})

describe('the API of the other endpoints', () => {
  it.each<[string, string, unknown, string, string]>([
    ['a token of an unknown node', TOKENS, { node: { uuid: 'x' }, reserve_size: 1 }, '13565997', 'node.uuid'],
    ['a token without a node', TOKENS, { reserve_size: 1 }, '262177', 'node'],
    ['a token without a node id', TOKENS, { node: {}, reserve_size: 1 }, '262177', 'node.uuid'],
    [
      'a token whose node has another name',
      TOKENS,
      { node: { uuid: 'NODE', name: 'node2' }, reserve_size: 1 },
      '262186',
      'node',
    ],
    ['a token without a size', TOKENS, { node: { uuid: 'NODE' } }, '262177', 'reserve_size'],
    ['a token with a negative size', TOKENS, { node: { uuid: 'NODE' }, reserve_size: -1 }, '13565964', 'reserve_size'],
    ['a token with an unknown unit', TOKENS, { node: { uuid: 'NODE' }, reserve_size: '4X' }, '262197', 'reserve_size'],
    [
      'a token larger than the split load',
      TOKENS,
      { node: { uuid: 'NODE' }, reserve_size: '40TB' },
      '13565959',
      'reserve_size',
    ],
    [
      'a token with a lifetime of 0',
      TOKENS,
      { node: { uuid: 'NODE' }, reserve_size: 1, expiry_time: { limit: '0' } },
      '262197',
      'expiry_time.limit',
    ],
    [
      'a token whose lifetime is a word',
      TOKENS,
      { node: { uuid: 'NODE' }, reserve_size: 1, expiry_time: { limit: 'long' } },
      '262197',
      'expiry_time.limit',
    ],
    ['a qtree without a name', QTREES, { svm: { name: 'svm1' }, volume: { name: 'vol1' } }, '5242953', 'name'],
    [
      'a qtree outside the volume',
      QTREES,
      { svm: { name: 'svm1' }, volume: { name: 'vol1' }, name: '..' },
      '262197',
      'name',
    ],
    [
      'a qtree with an unknown security style',
      QTREES,
      { svm: { name: 'svm1' }, volume: { name: 'vol1' }, name: 'q', security_style: 'odd' },
      '262197',
      'security_style',
    ],
    [
      'a qtree with permissions that are not octal',
      QTREES,
      { svm: { name: 'svm1' }, volume: { name: 'vol1' }, name: 'q', unix_permissions: 999 },
      '262197',
      'unix_permissions',
    ],
    [
      'a clone from outside the volume',
      '/api/storage/file/clone',
      { volume: { name: 'vol1' }, source_path: '../f', destination_path: 'c' },
      '917812',
      'source_path',
    ],
    [
      'a clone to an absolute path',
      '/api/storage/file/clone',
      { volume: { name: 'vol1' }, source_path: 'f', destination_path: '/c' },
      '917812',
      'destination_path',
    ],
    [
      'a clone of a range of two numbers',
      '/api/storage/file/clone',
      { volume: { name: 'vol1' }, source_path: 'f', destination_path: 'c', range: ['1:1'] },
      '917898',
      'range',
    ],
    [
      'a clone of a range as a backup',
      '/api/storage/file/clone',
      { volume: { name: 'vol1' }, source_path: 'f', destination_path: 'c', range: ['0:0:1'], is_backup: true },
      '13565988',
      'is_backup',
    ],
    [
      'a clone with autodelete',
      '/api/storage/file/clone',
      { volume: { name: 'vol1' }, source_path: 'f', destination_path: 'c', autodelete: true },
      '13565952',
      'autodelete',
    ],
    [
      'a clone with a token that is not split',
      '/api/storage/file/clone',
      { volume: { name: 'vol1' }, source_path: 'f', destination_path: 'c', token_uuid: 'x', split: false },
      '262197',
      'split',
    ],
  ])('refuses %s', async (_, path, body, code, target) => {
    const http = await openHttp()
    const node = await nodeOf(http)
    const answer = await http.post(path, JSON.stringify(body).replace('NODE', node))
    expect(answer.body).toMatchObject({ error: { code, target } })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect((await http.get(TOKENS)).body.num_records).toBe(0)
    expect((await http.get(QTREES)).body.num_records).toBe(2)
  })

  it('refuses a clone of an absent file, and frees its charge', async () => {
    const http = await openHttp()
    const body = { volume: { name: 'vol1' }, source_path: 'absent', destination_path: 'c' }
    const answer = await http.post('/api/storage/file/clone?return_timeout=10', body)
    expect(answer).toMatchObject({ status: 404, body: { error: { code: '917864' } } })
    const loads = (await http.get('/api/storage/file/clone/split-loads')).body.records
    expect(loads[0].load.current).toBe(0)
  })

  it('refuses to rename a qtree to a name that rules have', async () => {
    const http = await openHttp()
    const { volume, id } = await makeQtree(http, 'qt1')
    await makeRule(http)
    await makeRule(http, { qtree: { name: 'qt2' } })
    const path = `${QTREES}/${volume.uuid}/${id}`
    const refused = await http.patch(`${path}?return_timeout=10`, { name: 'qt2' })
    expect(refused).toMatchObject({ status: 409, body: { error: { code: '5242958', target: 'name' } } })
    expect((await http.get(path)).body.name).toBe('qt1')
    await http.delete(`${RULES}?qtree.name=qt2`)
    expect((await http.patch(`${path}?return_timeout=10`, { name: 'qt2' })).status).toBe(200)
    expect((await http.get(`${RULES}?qtree.name=qt2&fields=qtree`)).body.records).toMatchObject([
      { qtree: { name: 'qt2', id } },
    ])
  })

  it('refuses a PATCH of a volume except for quotas', async () => {
    const http = await openHttp()
    const path = `${VOLUMES}/${http.vol1.uuid}`
    expect((await http.patch(path, { size: 1 })).body.error).toMatchObject({ code: '262196', target: 'size' })
    expect((await http.patch(path, { quota: { enabled: 'perhaps' } })).body.error.code).toBe('262197')
    expect((await http.patch(path, { quota: { state: 'on' } })).body.error.code).toBe('262179')
    expect((await http.patch(`${VOLUMES}/nothing`, { quota: { enabled: true } })).status).toBe(404)
  })

  it('refuses a maximum split load outside its range', async () => {
    const http = await openHttp()
    const path = `/api/storage/file/clone/split-loads/${await nodeOf(http)}`
    for (const maximum of ['4095', 0, '676TB', -1]) {
      expect((await http.patch(path, { load: { maximum } })).body.error.code).toBe('13565966')
    }
    expect((await http.patch(path, { load: { current: 1 } })).body.error.code).toBe('262179')
  })
})

describe('the access check', () => {
  it.each([
    ['no credentials', {}],
    ['a wrong password', { authorization: `Basic ${btoa('admin:wrong')}` }],
    ['a wrong user', { authorization: `Basic ${btoa('root:secret')}` }],
    ['a wrong token', { authorization: 'Bearer wrong' }],
    ['a scheme without credentials', { authorization: 'Basic' }],
    ['credentials that are not Base64', { authorization: 'Basic %%%' }],
    ['credentials without a colon', { authorization: `Basic ${btoa('admin')}` }],
    ['another scheme', { authorization: 'Digest admin:secret' }],
  ])('refuses %s', async (_, headers) => {
    const http = await openHttp()
    const withCredentials = { authorization: '', ...headers }
    for (const [method, path] of [
      ['GET', RULES],
      ['POST', RULES],
      ['DELETE', `${RULES}/x`],
      ['GET', '/api/cluster'],
      ['GET', '/api/unknown'],
      ['PATCH', `${VOLUMES}/${http.vol1.uuid}`],
    ] as const) {
      const answer = await http.ask(method, path, { headers: withCredentials, ...(method === 'POST' && { body: '{' }) })
      expect(answer).toMatchObject({ status: 401, body: { error: { code: '6691623' } } })
      expect(answer.headers.get('www-authenticate')).toContain('Basic')
    }
  })

  it('admits the password as a Bearer token, and a scheme in lower case', async () => {
    const http = await openHttp()
    expect((await http.get(RULES, { authorization: 'Bearer secret' })).status).toBe(200)
    expect((await http.get(RULES, { authorization: `basic ${btoa('admin:secret')}` })).status).toBe(200)
  })
})

describe('the parser of queries', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('treats %s as an unknown field', async (name) => {
    const http = await openHttp()
    for (const query of [`${name}=1`, `order_by=${name}`, `fields=${name}`, `query=x&query_fields=${name}`]) {
      expect((await http.get(`${RULES}?${query}`)).status, query).toBe(400)
      expect((await http.get(`${RULES}?${query}&ignore_unknown_fields=true`)).status, query).toBe(200)
    }
  })
})

it.each([
  ['a key', { users: [{ ['z'.repeat(200_000)]: 1 }] }],
  ['a name', { volume: { name: 'v'.repeat(200_000) } }],
  ['a name of a field', { ['x'.repeat(200_000)]: 1 }],
])('answers with at most 4 KiB when %s in the request is longer', async (_, changes) => {
  const http = await openHttp()
  const { status, body } = await http.post(RULES, ruleBody({ type: 'user', ...changes }))
  expect(status).toBeGreaterThanOrEqual(400)
  expect(JSON.stringify(body).length).toBeLessThan(4096)
})

it('names the field when an entry of users is a list', async () => {
  const http = await openHttp()
  const { body } = await http.post(RULES, ruleBody({ type: 'user', users: [[1]] }))
  expect(body.error.message).not.toContain('JSON object')
  expect(body.error.target).toContain('users')
})
