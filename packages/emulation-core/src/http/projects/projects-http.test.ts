import type { AdminCredentials } from '@trivium/http-contract'
import { describe, expect, it } from 'vitest'
import { createHttpLab } from '../../../tests/http-lab.ts'

const id = '11111111-1111-4111-8111-111111111111'
const absent = '99999999-9999-4999-8999-999999999999'

describe('the interface of projects', () => {
  it('creates a project without a body, with an empty object or with fields', async () => {
    const { call } = createHttpLab({ version: '1.2.3' })
    const made = await call('POST', '/v1/projects')
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      location: '/projects',
      path: expect.stringMatching(/^\/projects\/[0-9a-f-]{36}$/),
      project_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      temporary: false,
    })
    expect(made.headers.get('x-route')).toBe('/v1/projects')
    expect(made.headers.get('server')).toBe('Trivium/1.2.3')
    expect((await call('POST', '/v1/projects', {})).status).toBe(201)
    expect((await call('POST', '/projects', { project_id: null, path: null })).status).toBe(201)
    const named = await call('POST', '/projects', { project_id: id, temporary: true })
    expect(named.body).toEqual({ location: '/projects', path: `/projects/${id}`, project_id: id, temporary: true })
    const all = (await call('GET', '/v1/projects')).body
    expect(all).toHaveLength(4)
  })

  it('keeps the name of a project, and shows it only where it was set', async () => {
    const { call } = createHttpLab()
    const made = await call('POST', '/v1/projects', { project_id: id, name: 'Lab 1' })
    const project = { location: '/projects', name: 'Lab 1', path: `/projects/${id}`, project_id: id, temporary: false }
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
    expect(updated.body).toEqual({ location: '/projects', path: '/tmp/other', project_id: id, temporary: true })
    expect((await call('PUT', `/v1/projects/${id}`)).body).toEqual(updated.body)
    expect((await call('PUT', `/v1/projects/${id}`, { path: '../up' })).status).toBe(400)
  })

  it.each([
    ['DELETE', ''],
    ['POST', '/close'],
  ])('closes a project with %s%s', async (method, path) => {
    const { request, call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: id })
    const ended = await request(method, `/v1/projects/${id}${path}`)
    expect([ended.status, await ended.text(), ended.headers.get('content-type')]).toEqual([204, '', null])
    const again = await call(method, `/v1/projects/${id}${path}`)
    expect([again.status, again.body]).toEqual([404, { message: `Project ID ${id} doesn't exist.`, status: 404 }])
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
