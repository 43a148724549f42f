import type { AdminCredentials } from '@trivium/http-contract'
import { describe, expect, it } from 'vitest'
import { createHttpLab } from '../../../tests/http-lab.ts'

const id = '11111111-1111-4111-8111-111111111111'
const vm = '22222222-2222-4222-8222-222222222222'
const absent = '99999999-9999-4999-8999-999999999999'

const details = {
  archived: false,
  auto_open: false,
  auto_start: false,
  auto_stop_minutes: 0,
  changed_at: expect.any(String),
  created_at: expect.any(String),
  location: '/projects',
  locked: false,
  nodes: 0,
  nodes_running: 0,
  status: 'opened',
}

describe('the interface of projects', () => {
  it('creates a project without a body, with an empty object or with fields', async () => {
    const { call } = createHttpLab({ version: '1.2.3' })
    const made = await call('POST', '/v1/projects')
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      ...details,
      path: expect.stringMatching(/^\/projects\/[0-9a-f-]{36}$/),
      project_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      temporary: false,
    })
    expect(made.headers.get('x-route')).toBe('/v1/projects')
    expect(made.headers.get('server')).toBe('Trivium/1.2.3')
    expect((await call('POST', '/v1/projects', {})).status).toBe(201)
    expect((await call('POST', '/projects', { project_id: null, path: null })).status).toBe(201)
    const named = await call('POST', '/projects', { project_id: id, temporary: true })
    expect(named.body).toEqual({ ...details, path: `/projects/${id}`, project_id: id, temporary: true })
    const all = (await call('GET', '/v1/projects')).body
    expect(all).toHaveLength(4)
  })

  it('keeps the name of a project, and shows it only where it was set', async () => {
    const { call } = createHttpLab()
    const made = await call('POST', '/v1/projects', { project_id: id, name: 'Lab 1' })
    const project = { ...details, name: 'Lab 1', path: `/projects/${id}`, project_id: id, temporary: false }
    expect([made.status, made.body]).toEqual([201, project])
    expect((await call('GET', '/v1/projects')).body).toEqual([project])
    expect((await call('PUT', `/v1/projects/${id}`, { name: null })).body).toEqual(project)
    const renamed = { ...project, name: 'Übung 2' }
    expect((await call('PUT', `/v1/projects/${id}`, { name: 'Übung 2' })).body).toEqual(renamed)
    expect((await call('GET', `/v1/projects/${id}`)).body).toEqual(renamed)
    expect((await call('POST', '/v1/projects', { name: null })).body).not.toHaveProperty('name')
  })

  it('refuses a creation with an unknown query parameter', async () => {
    const { call } = createHttpLab()
    const refused = await call('POST', '/v1/projects?temporary=true')
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({ message: expect.stringContaining('temporary') })
    expect((await call('GET', '/v1/projects')).body).toEqual([])
  })

  it('serves paths with and without the version, and returns the template with it', async () => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: id })
    for (const path of [`/v1/projects/${id}`, `/projects/${id}`]) {
      const found = await call('GET', path)
      expect([found.status, found.headers.get('x-route')]).toEqual([200, '/v1/projects/{project_id}'])
    }
  })

  it('returns 409 when the project exists', async () => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: id })
    const again = await call('POST', '/v1/projects', { project_id: id })
    expect(again.status).toBe(409)
    expect(again.body).toEqual({ message: `Project ID ${id} already exists.`, status: 409 })
  })

  it('returns the open project for a second creation with `reopenExistingProjects`', async () => {
    const { call } = createHttpLab({}, { reopenExistingProjects: true })
    const first = await call('POST', '/v1/projects', { project_id: id })
    const again = await call('POST', '/v1/projects', { project_id: id, temporary: true })
    expect([again.status, again.body]).toEqual([201, first.body])
  })

  it('refuses a path on a server that is not in local mode', async () => {
    const { call } = createHttpLab()
    const refused = { message: 'You are not allowed to modify the project directory location.', status: 403 }
    await call('POST', '/v1/projects', { project_id: id })
    const moved = await call('PUT', `/v1/projects/${id}`, { path: '/tmp/hello' })
    expect([moved.status, moved.body]).toEqual([403, refused])
    const made = await call('POST', '/v1/projects', { path: '/tmp/hello' })
    expect([made.status, made.body]).toEqual([403, refused])
    expect((await call('PUT', `/v1/projects/${id}`, { path: null })).status).toBe(200)
  })

  it('updates a project, in local mode also with a new path', async () => {
    const { call } = createHttpLab({}, { localMode: true })
    await call('POST', '/v1/projects', { project_id: id, path: '/tmp/one' })
    const updated = await call('PUT', `/v1/projects/${id}`, { path: '/tmp/other', temporary: true })
    expect(updated.body).toEqual({ ...details, path: '/tmp/other', project_id: id, temporary: true })
    expect((await call('PUT', `/v1/projects/${id}`)).body).toEqual(updated.body)
    expect((await call('PUT', `/v1/projects/${id}`, { path: '../up' })).status).toBe(400)
  })

  it.each([
    { method: 'DELETE', path: '', temporary: false },
    { method: 'POST', path: '/close', temporary: true },
  ])('deletes a project with $method$path', async ({ method, path, temporary }) => {
    const { request, call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: id, temporary })
    const ended = await request(method, `/v1/projects/${id}${path}`)
    expect([ended.status, await ended.text(), ended.headers.get('content-type')]).toEqual([204, '', null])
    const again = await call(method, `/v1/projects/${id}${path}`)
    expect([again.status, again.body]).toEqual([404, { message: `Project ID ${id} doesn't exist.`, status: 404 }])
  })

  it('keeps a closed project with its instances, and opens it again', async () => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: id })
    const vms = `/v1/projects/${id}/emu3/vms`
    const pc = (await call('POST', vms, { name: 'PC1', vm_id: vm })).body
    for (let time = 0; time < 2; time += 1) expect((await call('POST', `/v1/projects/${id}/close`)).status).toBe(204)
    expect((await call('GET', `/v1/projects/${id}`)).body).toMatchObject({ status: 'closed', nodes: 1 })
    expect((await call('GET', `${vms}/${vm}`)).body).toEqual(pc)
    for (const [method, path] of [
      ['POST', `${vms}/${vm}/start`],
      ['PUT', `${vms}/${vm}`],
      ['DELETE', `${vms}/${vm}`],
      ['POST', `/v1/projects/${id}/start`],
      ['POST', `/v1/projects/${id}/stop`],
    ] as const) {
      const refused = await call(method, path)
      expect([refused.status, refused.body]).toEqual([
        409,
        { message: `Project ID ${id} is closed. Open it first.`, status: 409 },
      ])
    }
    expect((await call('POST', vms, { name: 'PC2' })).status).toBe(409)
    expect((await call('POST', `/v1/projects/${id}/drawings`, { svg: '<svg/>' })).status).toBe(409)
    const opened = await call('POST', `/v1/projects/${id}/open`)
    expect([opened.status, opened.body]).toMatchObject([200, { status: 'opened', nodes: 1 }])
    expect((await call('POST', `${vms}/${vm}/start`)).status).toBe(204)
  })

  it('opens a closed project by a creation with its id, and changes the given fields', async () => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: id, name: 'One', author: 'Ada' })
    await call('POST', `/v1/projects/${id}/emu3/vms`, { name: 'PC1' })
    await call('POST', `/v1/projects/${id}/close`)
    const opened = await call('POST', '/v1/projects', { project_id: id, name: 'Two' })
    expect([opened.status, opened.body]).toMatchObject([
      201,
      { name: 'Two', author: 'Ada', status: 'opened', nodes: 1 },
    ])
    expect((await call('POST', '/v1/projects', { project_id: id })).status).toBe(409)
  })

  it('keeps what people note about a project', async () => {
    const { call } = createHttpLab()
    const noted = {
      name: 'Lab',
      description: 'Two\nlines',
      author: 'Ada',
      auto_open: true,
      auto_start: true,
      auto_stop_minutes: 90,
      scene: { width: 2000, height: 1000, zoom: 75, grid_size: 75, show_grid: true },
    }
    await call('POST', '/v1/projects', { project_id: id, ...noted })
    expect((await call('GET', `/v1/projects/${id}`)).body).toMatchObject(noted)
    const changed = await call('PUT', `/v1/projects/${id}`, { description: '', author: null, scene: { zoom: 100 } })
    expect(changed.body).toMatchObject({ author: 'Ada', scene: { ...noted.scene, zoom: 100 } })
    expect(changed.body).not.toHaveProperty('description')
  })

  it.each([
    { description: 'x'.repeat(10_001) },
    { author: 'a\nb' },
    { auto_stop_minutes: -1 },
    { auto_stop_minutes: 525_601 },
    { scene: { zoom: 0 } },
    { scene: { colour: 'red' } },
    { scene: [] },
    { locked: 'yes' },
  ])('refuses %j', async (body) => {
    const { call } = createHttpLab()
    const refused = await call('POST', '/v1/projects', body)
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({ message: expect.stringContaining(Object.keys(body)[0] ?? '') })
  })

  it('lists projects by their status, and archived ones on request', async () => {
    const { call } = createHttpLab()
    const ids: unknown[] = []
    for (const name of ['open', 'closed', 'archived']) {
      const { body } = await call('POST', '/v1/projects', { name })
      ids.push(Object(body).project_id)
    }
    await call('POST', `/v1/projects/${ids[1]}/close`)
    expect((await call('PUT', `/v1/projects/${ids[2]}`, { archived: true })).body).toMatchObject({ status: 'closed' })
    const names = async (query: string) => {
      const { body } = await call('GET', `/v1/projects${query}`)
      return Array.isArray(body) ? body.map(({ name }) => name) : body
    }
    expect(await names('')).toEqual(['open', 'closed'])
    expect(await names('?status=closed')).toEqual(['closed'])
    expect(await names('?archived=true')).toEqual(['archived'])
    expect(await names('?archived=all&status=closed')).toEqual(['closed', 'archived'])
    expect((await call('GET', '/v1/projects?status=running')).status).toBe(400)
    const refused = await call('POST', `/v1/projects/${ids[2]}/open`)
    expect([refused.status, refused.body]).toMatchObject([409, { message: expect.stringContaining('archived') }])
    await call('PUT', `/v1/projects/${ids[2]}`, { archived: false })
    expect((await call('POST', `/v1/projects/${ids[2]}/open`)).status).toBe(200)
  })

  it('refuses changes in a locked project, and lets it run', async () => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: id })
    const vms = `/v1/projects/${id}/emu3/vms`
    await call('POST', vms, { name: 'PC1', vm_id: vm })
    await call('PUT', `/v1/projects/${id}`, { locked: true })
    const nio = { type: 'nio_udp', lport: 10_000, rhost: '127.0.0.1', rport: 10_001 }
    for (const [method, path, body] of [
      ['POST', vms, { name: 'PC2' }],
      ['PUT', `${vms}/${vm}`, { name: 'PC3' }],
      ['DELETE', `${vms}/${vm}`, undefined],
      ['POST', `${vms}/${vm}/adapters/0/ports/0/nio`, nio],
      ['PUT', `/v1/projects/${id}/nodes`, { nodes: [{ node_id: vm, x: 1 }] }],
      ['POST', `/v1/projects/${id}/drawings`, { svg: '<svg/>' }],
      ['PUT', `/v1/projects/${id}`, { name: 'Other' }],
      ['DELETE', `/v1/projects/${id}`, undefined],
    ] as const) {
      const refused = await call(method, path, body)
      expect([path, refused.status, refused.body]).toEqual([
        path,
        409,
        { message: `Project ID ${id} is locked. It cannot be changed.`, status: 409 },
      ])
    }
    expect((await call('POST', `/v1/projects/${id}/start`)).body).toEqual({ changed: 1, failed: [] })
    expect((await call('POST', `/v1/projects/${id}/stop`)).body).toEqual({ changed: 1, failed: [] })
    await call('POST', `/v1/projects/${id}/close`)
    await call('POST', `/v1/projects/${id}/open`)
    const freed = await call('PUT', `/v1/projects/${id}`, { locked: false, name: 'Other' })
    expect(freed.body).toMatchObject({ locked: false, name: 'Other' })
  })

  it('duplicates a project as a closed one', async () => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: id, name: 'One', description: 'same' })
    const vms = `/v1/projects/${id}/emu3/vms`
    await call('POST', vms, { name: 'PC1', vm_id: vm, startup_script: 'ip 10.0.0.1/24\n' })
    await call('POST', `${vms}/${vm}/start`)
    expect((await call('POST', `/v1/projects/${id}/duplicate`)).status).toBe(409)
    await call('POST', `${vms}/${vm}/stop`)
    const copy = await call('POST', `/v1/projects/${id}/duplicate`, { name: 'Two' })
    expect([copy.status, copy.body]).toMatchObject([
      201,
      { name: 'Two', description: 'same', status: 'closed', nodes: 1, path: expect.not.stringContaining(id) },
    ])
    const copied = await call('GET', `/v1/projects/${Object(copy.body).project_id}/emu3/vms`)
    expect(copied.body).toMatchObject([{ name: 'PC1', startup_script: 'ip 10.0.0.1/24\n' }])
  })

  it('places instances of all kinds, and shows them in one list', async () => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: id })
    await call('POST', `/v1/projects/${id}/emu3/vms`, { name: 'PC1', vm_id: vm })
    const other = '33333333-3333-4333-8333-333333333333'
    await call('POST', `/v1/projects/${id}/emu5/devices`, { name: 'S1', device_id: other })
    const nodes = `/v1/projects/${id}/nodes`
    const label = { text: 'Host', x: 0, y: -20, rotation: 0, style: 'font-size: 10' }
    const placed = await call('PUT', nodes, {
      nodes: [
        { node_id: vm, x: -100.5, y: 20, z: 2, symbol: 'host', colour: '#0a84ff', label, start_order: 3 },
        { node_id: other, x: 1, locked: true },
      ],
    })
    expect(placed.status).toBe(200)
    const common = { project_id: id, start_delay_seconds: 0 }
    const pc = {
      ...common,
      node_id: vm,
      kind: 'emu3',
      name: 'PC1',
      status: 'stopped',
      locked: false,
      start_order: 3,
      x: -100.5,
      y: 20,
      z: 2,
      symbol: 'host',
      colour: '#0a84ff',
      label,
    }
    const device = {
      ...common,
      node_id: other,
      kind: 'emu5',
      name: 'S1',
      status: 'started',
      locked: true,
      start_order: 0,
      x: 1,
    }
    expect(placed.body).toEqual([pc, device])
    expect((await call('GET', nodes)).body).toEqual([pc, device])
    const { symbol: _symbol, ...without } = pc
    const removed = await call('PUT', nodes, { nodes: [{ node_id: vm, symbol: null, y: 30 }] })
    expect(removed.body).toEqual([{ ...without, y: 30 }])
    for (const node of [
      { node_id: vm, x: 1_000_001 },
      { node_id: vm, colour: 'red' },
      { node_id: vm, start_order: 1.5 },
      { node_id: 'x' },
      { x: 1 },
    ])
      expect((await call('PUT', nodes, { nodes: [node] })).status).toBe(400)
    expect((await call('PUT', nodes, { nodes: [{ node_id: vm, y: 99 }, { node_id: id }] })).status).toBe(404)
    expect((await call('GET', nodes)).body).toMatchObject([{ y: 30 }, {}])
  })

  it('commits a project', async () => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: id })
    expect((await call('POST', `/v1/projects/${id}/commit`)).status).toBe(204)
  })

  it.each([
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/commit'],
    ['POST', '/close'],
    ['GET', '/notifications'],
    ['GET', '/links'],
    ['GET', '/captures'],
    ['GET', '/captures/a.pcap'],
    ['DELETE', '/captures/a.pcap'],
    ['POST', '/ports/udp'],
  ])('returns 404 for absent ids and 400 for invalid ones: %s %s', async (method, path) => {
    const { call } = createHttpLab()
    const unknown = await call(method, `/v1/projects/${absent}${path}`)
    expect([unknown.status, unknown.body]).toEqual([
      404,
      { message: `Project ID ${absent} doesn't exist.`, status: 404 },
    ])
    const broken = await call(method, `/v1/projects/not-an-id${path}`)
    expect([broken.status, broken.body]).toEqual([
      400,
      { message: 'Project ID not-an-id is not a valid UUID.', status: 400 },
    ])
  })

  it.each([
    ['{', /^Invalid JSON: /],
    ['"text"', "Invalid JSON: 'text' is not of type 'object'."],
    ['[]', "Invalid JSON: '[]' is not of type 'object'."],
    ['null', "Invalid JSON: None is not of type 'object'."],
    [{ temporary: 'yes' }, "Invalid JSON: 'yes' is not of type 'boolean' in field 'temporary'."],
    [{ temporary: null }, "Invalid JSON: None is not of type 'boolean' in field 'temporary'."],
    [{ foo: 1 }, "Invalid JSON: Additional properties are not allowed ('foo' was unexpected) in field 'foo'."],
    [{ project_id: 'zz' }, "Invalid JSON: Project ID zz is not a valid UUID in field 'project_id'."],
    [{ project_id: 5 }, "Invalid JSON: 5 is not of type 'string' in field 'project_id'."],
    [{ name: '' }, "Invalid JSON: '' is too short in field 'name'."],
    [{ name: '../lab' }, "Invalid JSON: '../lab' is not a plain name in field 'name'."],
    [{ name: 'ü'.repeat(128) }, /is not a plain name in field 'name'\.$/],
    [{ path: '' }, "Invalid JSON: '' is too short in field 'path'."],
    [{ path: 'a\nb' }, "Invalid JSON: 'a\nb' has control characters in field 'path'."],
    [{ path: 'x'.repeat(5000) }, /^Invalid JSON: 'x{99}... is too long in field 'path'\.$/],
  ])('refuses the body %j', async (body, message) => {
    const { call } = createHttpLab({}, { localMode: true })
    const refused = await call('POST', '/v1/projects', body)
    expect(refused.status).toBe(400)
    expect(refused.body).toEqual({
      message: typeof message === 'string' ? message : expect.stringMatching(message),
      status: 400,
    })
    expect((await call('GET', '/v1/projects')).body).toEqual([])
  })

  it('refuses too large a body and an unsupported method', async () => {
    const { call } = createHttpLab()
    const large = await call('POST', '/v1/projects', { path: 'x'.repeat(2 ** 20) })
    expect([large.status, large.body]).toEqual([
      413,
      { message: 'The request body is larger than 1048576 bytes.', status: 413 },
    ])
    const method = await call('PATCH', '/v1/projects')
    expect([method.status, method.headers.get('x-route')]).toEqual([405, '/v1/projects'])
    expect(method.body).toEqual({ message: 'PATCH is not allowed here. Use GET, HEAD, POST, OPTIONS.', status: 405 })
  })

  it('hides the message of a fault', async () => {
    const { call, stores, faults } = createHttpLab()
    stores.files.openProject = () => Promise.reject(new Error('password=secret'))
    const failed = await call('POST', '/v1/projects', {})
    expect([failed.status, failed.body]).toEqual([500, { message: 'Internal server error.', status: 500 }])
    expect(faults).toHaveLength(1)
  })
})

it('returns 503 after the emulation has closed, and reports no fault', async () => {
  const { call, emulation, faults } = createHttpLab()
  await emulation.close()
  const { status, body } = await call('GET', '/v1/projects')
  expect([status, body]).toEqual([503, { message: 'The emulation is shutting down.', status: 503 }])
  expect(faults).toEqual([])
})

describe('the access check', () => {
  it('refuses a caller that the host does not admit', async () => {
    const { call } = createHttpLab({ authorize: { '*': () => undefined } })
    const refused = await call('GET', '/v1/version')
    expect([refused.status, refused.body]).toEqual([401, { message: 'Authentication is required.', status: 401 }])
    expect(refused.headers.get('www-authenticate')).toContain('Basic')
    expect(refused.headers.get('x-route')).toBe('/v1/version')
  })

  it('admits everyone to the one operation that the host opens, with and without the version', async () => {
    const { call } = createHttpLab({ admin: () => false, authorize: { getVersion: 'open' } })
    for (const path of ['/v1/version', '/version']) expect((await call('GET', path)).status).toBe(200)
    expect((await call('GET', '/v1/projects')).status).toBe(401)
  })

  it.each([
    [undefined, 401],
    ['Basic YWRtaW46c2VjcmV0', 200],
    ['basic  YWRtaW46c2VjcmV0 ', 200],
    ['Bearer secret', 200],
    ['Bearer other', 401],
    ['Basic YWRtaW46b3RoZXI=', 401],
    ['Basic !!!', 401],
    ['Basic YWRtaW4=', 401],
    ['Digest secret', 401],
  ])('answers the credentials %j with %d', async (authorization, status) => {
    const admin = ({ username = 'admin', password }: AdminCredentials) => username === 'admin' && password === 'secret'
    const { request } = createHttpLab({ admin })
    const response = await request('GET', '/v1/version', { headers: { authorization: authorization ?? '' } })
    expect(response.status).toBe(status)
  })

  it('refuses every route by default', async () => {
    const { emulation } = createHttpLab()
    const { emulationRoutes } = await import('../index.ts')
    const exchange = {
      params: {},
      query: '',
      headers: { authorization: 'Basic YWRtaW46' },
      remoteAddress: undefined,
      host: undefined,
      mount: { origin: 'http://localhost', path: '' },
      body: () => ({ kind: 'none' }) as const,
      signal: new AbortController().signal,
      closing: new AbortController().signal,
    }
    for (const { handle, operation } of emulationRoutes(emulation, { productNames: true })) {
      expect((await handle({ ...exchange, method: operation.method })).status).toBe(401)
    }
  })
})
