import type { UserCaller } from '@trivium/http-contract'
import { describe, expect, it } from 'vitest'
import { type Answered, createHttpLab } from '../../../tests/http-lab.ts'

/** A host whose users are named by a header, and where all others are admitted as without a rule. */
function createSharedLab(user: Partial<UserCaller> = {}, labOptions: Parameters<typeof createHttpLab>[1] = {}) {
  const lab = createHttpLab(
    {
      authorize: {
        '*': ({ headers }) =>
          typeof headers['x-user'] === 'string' ? { ...user, type: 'user', id: headers['x-user'] } : 'default',
      },
    },
    labOptions,
  )
  const as =
    (name: string | undefined) =>
    async (method: string, path: string, body?: unknown): Promise<Answered> => {
      const response = await lab.request(method, path, {
        ...(name !== undefined && { headers: { 'x-user': name } }),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
    }
  return { ...lab, ada: as('ada'), grace: as('grace'), admin: as(undefined) }
}

const idOf = ({ body }: Answered): string => (body as { readonly project_id: string }).project_id
const idsOf = ({ body }: Answered) =>
  (body as readonly { readonly project_id: string }[]).map(({ project_id }) => project_id)

describe('a user of the host', () => {
  it('sees only the projects that they created, and the admin sees all', async () => {
    const { ada, grace, admin } = createSharedLab()
    const [own, other, unowned] = [
      idOf(await ada('POST', '/v1/projects', {})),
      idOf(await grace('POST', '/v1/projects', {})),
      idOf(await admin('POST', '/v1/projects', {})),
    ]
    expect(idsOf(await ada('GET', '/v1/projects'))).toEqual([own])
    expect(idsOf(await grace('GET', '/v1/projects'))).toEqual([other])
    expect(new Set(idsOf(await admin('GET', '/v1/projects')))).toEqual(new Set([own, other, unowned]))
  })

  it('gets 403 for a copy of a project with VMs that exist on the host', async () => {
    const { admin, ada } = createSharedLab()
    const id = idOf(await ada('POST', '/v1/projects', {}))
    expect((await ada('POST', `/v1/projects/${id}/duplicate`, {})).status).toBe(201)
    await admin('POST', `/v1/projects/${id}/emu4/vms`, { name: 'D', vmname: 'desktop', linked_clone: true })
    expect((await ada('POST', `/v1/projects/${id}/duplicate`, {})).status).toBe(403)
    expect((await admin('POST', `/v1/projects/${id}/duplicate`, {})).status).toBe(201)
  })

  it('gets 404 for a project of another user, as for one that does not exist', async () => {
    const { ada, grace } = createSharedLab()
    const id = idOf(await ada('POST', '/v1/projects', {}))
    const absent = await grace('GET', '/v1/projects/00000000-0000-4000-8000-000000000000')
    const calls = [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/close'],
      ['GET', '/notifications'],
      ['GET', '/links'],
      ['POST', '/ports/udp'],
      ['POST', '/emu3/vms'],
      ['GET', '/emu3/vms'],
      ['GET', '/drawings'],
      ['POST', '/drawings'],
      ['GET', '/drawings/00000000-0000-4000-8000-000000000001'],
      ['PUT', '/drawings/00000000-0000-4000-8000-000000000001'],
      ['DELETE', '/drawings/00000000-0000-4000-8000-000000000001'],
    ] as const
    for (const [method, path] of calls) {
      const { status, body } = await grace(method, `/v1/projects/${id}${path}`, method === 'GET' ? undefined : {})
      expect([method, path, status]).toEqual([method, path, 404])
      expect(JSON.stringify(body).replace(id, 'ID')).toBe(
        JSON.stringify(absent.body).replace('00000000-0000-4000-8000-000000000000', 'ID'),
      )
    }
    expect((await ada('GET', `/v1/projects/${id}`)).status).toBe(200)
  })

  it('sees the labs that the host lists, or all', async () => {
    const listed: string[] = []
    const { grace, admin } = createSharedLab({ labs: listed })
    const id = idOf(await admin('POST', '/v1/projects', {}))
    expect((await grace('GET', `/v1/projects/${id}`)).status).toBe(404)
    listed.push(id)
    expect((await grace('GET', `/v1/projects/${id}`)).status).toBe(200)
    expect(idsOf(await grace('GET', '/v1/projects'))).toEqual([id])
    const open = createSharedLab({ labs: 'all', scopes: ['read'] })
    const unowned = idOf(await open.admin('POST', '/v1/projects', {}))
    expect(idsOf(await open.ada('GET', '/v1/projects'))).toEqual([unowned])
    const refused = await open.ada('DELETE', `/v1/projects/${unowned}`)
    expect([refused.status, refused.body]).toEqual([
      403,
      { message: 'This user is not allowed to use this operation.', status: 403 },
    ])
  })

  it('gets 409 for the id of a project of another owner, open or closed, who can open it again', async () => {
    const { ada, grace, admin } = createSharedLab()
    for (const [owner, other] of [
      [ada, grace],
      [ada, admin],
      [admin, ada],
    ] as const) {
      const id = idOf(await owner('POST', '/v1/projects', {}))
      expect((await other('POST', '/v1/projects', { project_id: id })).status).toBe(409)
      expect((await owner('POST', `/v1/projects/${id}/close`)).status).toBe(204)
      expect((await other('POST', '/v1/projects', { project_id: id })).status).toBe(409)
      expect((await owner('POST', '/v1/projects', { project_id: id })).status).toBe(201)
    }
  })

  it('gets the same answer for an instance of another user as for an absent one', async () => {
    const { ada, grace } = createSharedLab()
    const foreign = idOf(await ada('POST', '/v1/projects', {}))
    const own = idOf(await grace('POST', '/v1/projects', {}))
    const made = await ada('POST', `/v1/projects/${foreign}/emu3/vms`, { name: 'SECRET' })
    const { vm_id: id } = made.body as { readonly vm_id: string }
    const absent = '00000000-0000-4000-8000-000000000000'
    const [one, other] = [
      await grace('GET', `/v1/projects/${own}/emu3/vms/${id}`),
      await grace('GET', `/v1/projects/${own}/emu3/vms/${absent}`),
    ]
    expect([one.status, JSON.stringify(one.body)]).toEqual([404, JSON.stringify(other.body).replace(absent, id)])
  })

  it('gets 409 for a UDP port that another project has reserved', async () => {
    const { ada, grace, admin } = createSharedLab()
    const [foreign, own] = [idOf(await ada('POST', '/v1/projects', {})), idOf(await grace('POST', '/v1/projects', {}))]
    const made = await grace('POST', `/v1/projects/${own}/emu3/vms`, { name: 'PC1' })
    const { vm_id: id } = made.body as { readonly vm_id: string }
    const nio = `/v1/projects/${own}/emu3/vms/${id}/adapters/0/ports/0/nio`
    const reserve = async (caller: typeof ada, path: string) =>
      ((await caller('POST', path)).body as { readonly udp_port: number }).udp_port
    for (const lport of [
      await reserve(ada, `/v1/projects/${foreign}/ports/udp`),
      await reserve(admin, '/v1/ports/udp'),
    ]) {
      const taken = await grace('POST', nio, { type: 'nio_udp', lport, rport: lport + 1, rhost: '127.0.0.1' })
      expect(taken.status).toBe(409)
    }
    const lport = await reserve(grace, `/v1/projects/${own}/ports/udp`)
    const taken = await grace('POST', nio, { type: 'nio_udp', lport, rport: lport + 1, rhost: '127.0.0.1' })
    expect(taken.status).toBe(201)
    expect((await grace('POST', '/v1/ports/udp')).status).toBe(403)
  })

  it('gets 409 for a UDP port at which a NIC of another user points, until none does', async () => {
    const { ada, grace } = createSharedLab()
    const [foreign, own] = [idOf(await ada('POST', '/v1/projects', {})), idOf(await grace('POST', '/v1/projects', {}))]
    const add = async (caller: typeof ada, project: string, name: string) => {
      const { body } = await caller('POST', `/v1/projects/${project}/emu3/vms`, { name })
      return `/v1/projects/${project}/emu3/vms/${(body as { readonly vm_id: string }).vm_id}`
    }
    const reserve = async (caller: typeof ada, project: string) =>
      ((await caller('POST', `/v1/projects/${project}/ports/udp`)).body as { readonly udp_port: number }).udp_port
    const cable = async (caller: typeof ada, vm: string, lport: number, rport: number) =>
      (await caller('POST', `${vm}/adapters/0/ports/0/nio`, { type: 'nio_udp', lport, rport, rhost: '127.0.0.1' }))
        .status
    const [one, other] = [await add(ada, foreign, 'PC1'), await add(ada, foreign, 'PC2')]
    const hostile = await add(grace, own, 'EVIL')
    const [left, right] = [await reserve(ada, foreign), await reserve(ada, foreign)]

    expect([await cable(ada, one, left, right), await cable(ada, other, right, left)]).toEqual([201, 201])
    expect(await cable(grace, hostile, right, left)).toBe(409)
    expect((await ada('DELETE', other)).status).toBe(204)
    expect(await cable(grace, hostile, right, left)).toBe(409)
    expect([await reserve(grace, own), await reserve(ada, foreign)]).not.toContain(right)

    const again = await add(ada, foreign, 'PC3')
    expect(await cable(ada, again, right, left)).toBe(201)
    expect((await ada('DELETE', `${again}/adapters/0/ports/0/nio`)).status).toBe(204)
    expect(await cable(grace, hostile, right, left)).toBe(409)
    expect((await ada('POST', `/v1/projects/${foreign}/close`)).status).toBe(204)
    expect(await cable(grace, hostile, right, left)).toBe(201)
  })

  it('gets 403 for a path, also in local mode', async () => {
    const { ada, admin } = createSharedLab({}, { localMode: true })
    expect((await ada('POST', '/v1/projects', { path: '/tmp/lab' })).status).toBe(403)
    const id = idOf(await ada('POST', '/v1/projects', {}))
    expect((await ada('PUT', `/v1/projects/${id}`, { path: '/tmp/lab' })).status).toBe(403)
    expect((await admin('PUT', `/v1/projects/${id}`, { path: '/tmp/lab' })).status).toBe(403)
  })

  it.each(['/v1/interfaces', '/v1/emu4/vms'])('gets 403 for %s, which shows the host itself', async (path) => {
    const { ada } = createSharedLab()
    expect((await ada('GET', path)).status).toBe(403)
  })
})
