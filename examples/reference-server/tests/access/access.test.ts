import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueKey } from '../replicas/requests.ts'
import { ADMIN_PASSWORD, type ServerProcess, startServer } from '../server-process.ts'
import { declaredRoutes, type MountedRoute, mountedRoutes } from './mounted-routes.ts'
import { type PlainResponse, send } from './send.ts'
import {
  foreignHeaders,
  type Headers,
  isForeign,
  isOpen,
  isRefusal,
  sendToRoute,
  unexpectedAnswers,
} from './try-routes.ts'

let server: ServerProcess
let routes: readonly MountedRoute[]
/** Values for the parameters of paths: ids of existing objects, so that a request that is wrongly admitted has an effect. */
let known: Readonly<Record<string, string>>
let keys: Readonly<Record<'valid' | 'revoked' | 'expired' | 'rotated', string>>

beforeAll(async () => {
  server = await startServer({ environment: { TRIVIUM_GNS3_NAMES: '1' } })
  routes = await mountedRoutes(server.url)
  const victim = await issueKey(server, { username: 'victim' })
  const project = await create('/v1/projects', {})
  const instance = await create(`/v1/projects/${project.project_id}/emu3/vms`, { name: 'pc' })
  const device = await create(`/v1/projects/${project.project_id}/emu5/devices`, { name: 'switch' })
  const node = await create(`/v1/projects/${project.project_id}/nat/nodes`, { name: 'nat' })
  known = {
    key_id: victim.key_id,
    project_id: project.project_id ?? '',
    vm_id: instance.vm_id ?? '',
    device_id: device.device_id ?? '',
    node_id: node.node_id ?? '',
  }
  keys = {
    valid: (await issueKey(server)).api_key,
    revoked: await revokedKey(),
    expired: await expiredKey(),
    rotated: await rotatedKey(),
  }
}, 60_000)

afterAll(() => server?.[Symbol.asyncDispose]())

const ids = v.record(v.string(), v.unknown())

async function create(path: string, body: unknown): Promise<Readonly<Record<string, string | undefined>>> {
  const response = await server.ask(path, { method: 'POST', body })
  expect(response.status, await response.clone().text()).toBe(201)
  const fields = v.parse(ids, await response.json())
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
}

async function revokedKey(): Promise<string> {
  const { key_id, api_key } = await issueKey(server)
  await server.ask(`/v1/auth/keys/${key_id}`, { method: 'DELETE' })
  return api_key
}

async function rotatedKey(): Promise<string> {
  const { key_id, api_key } = await issueKey(server)
  await server.ask(`/v1/auth/keys/${key_id}/rotate`, { method: 'POST' })
  return api_key
}

/** Sets the expiry in the store: the shortest life of a key is a day. */
async function expiredKey(): Promise<string> {
  const { key_id, api_key } = await issueKey(server, { expires_in_days: 1 })
  const store = new DatabaseSync(join(server.dataDirectory, 'trivium.sqlite'))
  expect(store.prepare('update gateway_api_keys set expires_at = 1 where id = ?').run(key_id).changes).toBe(1)
  store.close()
  return api_key
}

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

const call = (route: Pick<MountedRoute, 'method' | 'template'>, headers: Headers) =>
  sendToRoute(server.url, route, headers, known)

const trial = (headers: Headers) => ({ origin: server.url, known, headers })

const needsAdmin = v.object({ error: v.object({ code: v.literal('admin_required') }) })

/** Returns whether a response is the one that an API key receives from a route for the admin. */
const isAdminOnly = (response: PlainResponse, route: MountedRoute): boolean =>
  route.errorShape === 'gateway'
    ? response.status === 403 && v.is(needsAdmin, JSON.parse(response.text))
    : isRefusal(response, route)

/** Returns everything that a refused request could have changed. */
async function state(): Promise<readonly string[]> {
  const paths = [
    '/v1/auth/keys?username=victim',
    '/v1/projects',
    `/v1/projects/${known.project_id}/emu3/vms`,
    `/v1/projects/${known.project_id}/emu5/devices`,
    '/api/storage/quota/rules?fields=*',
    '/api/storage/qtrees?fields=*',
    '/api/storage/file/clone/tokens?fields=*',
    '/api/cluster/jobs?fields=*',
  ]
  return Promise.all(paths.map(async (path) => `${path} ${await (await server.ask(path)).text()}`))
}

it('mounts every declared route, and aliases', () => {
  const mounted = new Set(routes.map(({ method, template }) => `${method} ${template}`))
  expect(declaredRoutes.filter(({ method, template }) => !mounted.has(`${method} ${template}`))).toEqual([])
  expect(routes.length).toBeGreaterThan(declaredRoutes.length)
})

const credentials: Readonly<Record<string, () => Headers>> = {
  'no credentials': () => ({}),
  'an empty header': () => ({ authorization: '' }),
  'a wrong password': () => ({ authorization: basic('admin', `${ADMIN_PASSWORD}!`) }),
  'half of the password': () => ({ authorization: basic('admin', ADMIN_PASSWORD.slice(0, 9)) }),
  'another user with the password': () => ({ authorization: basic('root', ADMIN_PASSWORD) }),
  'the password alone': () => ({ authorization: `Basic ${btoa(ADMIN_PASSWORD)}` }),
  'the password by another scheme': () => ({ authorization: `Digest ${btoa(ADMIN_PASSWORD)}` }),
  'a right header after a wrong one': () => ({ authorization: ['Bearer x', server.admin] }),
  'an unknown key': () => ({ authorization: `Bearer tvm_${'a'.repeat(43)}` }),
  'a key in other letters': () => ({ authorization: `Bearer ${keys.valid.toUpperCase()}` }),
  'a key that is revoked': () => ({ authorization: `Bearer ${keys.revoked}` }),
  'a key that has expired': () => ({ authorization: `Bearer ${keys.expired}` }),
  'a secret that was replaced': () => ({ authorization: `Bearer ${keys.rotated}` }),
  'a key by Basic': () => ({ authorization: basic('admin', keys.valid) }),
  'a key in a header of another service': () => ({ 'api-key': keys.valid }),
  'an unknown key in the header of Anthropic': () => ({ 'x-api-key': `tvm_${'a'.repeat(43)}` }),
}

describe.each(Object.keys(credentials))('a request with %s', (name) => {
  // Aliases share the check of their routes, so one run over all of them is enough.
  const trialOptions = () => ({
    ...trial(credentials[name]?.() ?? {}),
    routes: name === 'no credentials' ? routes : declaredRoutes,
  })

  it('opens no closed route, and changes nothing', async () => {
    const before = await state()
    expect(await unexpectedAnswers({ ...trialOptions(), access: ['key', 'admin'], isRight: isRefusal })).toEqual([])
    expect(await state()).toEqual(before)
  })

  it('receives an answer from every open route', async () => {
    expect(await unexpectedAnswers({ ...trialOptions(), access: ['open'], isRight: isOpen })).toEqual([])
  })
})

describe('a request with the key of another user', () => {
  const headers = () => ({ authorization: `Bearer ${keys.valid}` })

  it('opens no route of the admin, and changes nothing', async () => {
    const before = await state()
    expect(await unexpectedAnswers({ ...trial(headers()), routes, access: ['admin'], isRight: isAdminOnly })).toEqual(
      [],
    )
    expect(await state()).toEqual(before)
  })

  it('opens every route for keys', async () => {
    const isIn = ({ status }: PlainResponse) => status !== 401 && status !== 403
    expect(await unexpectedAnswers({ ...trial(headers()), routes, access: ['key'], isRight: isIn })).toEqual([])
  })

  it('receives only the usage of its own user', async () => {
    const victim = await issueKey(server, { username: 'victim-2' })
    await call({ method: 'GET', template: '/v1/models' }, { authorization: `Bearer ${victim.api_key}` })
    const own = await send(server.url, { method: 'GET', path: `/v1/usage?key_id=${victim.key_id}`, headers: headers() })
    expect(own.text).not.toContain(victim.key_id)
  })
})

describe('a request with the right credentials', () => {
  it.each(foreignHeaders)('opens no route when it comes from a page %s', async (_, headers) => {
    const before = await state()
    const trialOptions = { ...trial({ authorization: server.admin, ...headers }), routes }
    expect(await unexpectedAnswers({ ...trialOptions, access: ['open', 'key', 'admin'], isRight: isForeign })).toEqual(
      [],
    )
    expect(await state()).toEqual(before)
  })
})

it('answers methods that a path does not have with its allowed methods at most', async () => {
  const paths = [...new Map(routes.map((route) => [route.template, route])).values()]
  for (const method of ['PROPFIND', 'TRACE', 'OPTIONS']) {
    for (const route of paths) {
      const { status, headers, text } = await call({ ...route, method }, {})
      expect([200, 204, 401, 405, 404, 501], `${method} ${route.template}`).toContain(status)
      if (status < 300) expect([text === '' || text === '{}', typeof headers.allow]).toEqual([true, 'string'])
    }
  }
})
