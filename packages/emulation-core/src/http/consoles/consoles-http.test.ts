import { expectOk } from '@trivium/http-client'
import type { Socket, SocketRoute, UserCaller } from '@trivium/http-contract'
import { describe, expect, it } from 'vitest'
import { createHttpLab, type HttpLab } from '../../../tests/http-lab.ts'
import { type EmulationRoutesOptions, emulationSocketRoutes } from '../index.ts'

const project = '11111111-1111-4111-8111-111111111111'
const id = '22222222-2222-4222-8222-222222222222'
const absent = '99999999-9999-4999-8999-999999999999'
const path = `/v1/projects/${project}/emu3/vms/${id}`

async function openLab(options: EmulationRoutesOptions = {}) {
  const lab = createHttpLab(options)
  await lab.call('POST', '/v1/projects', { project_id: project })
  await lab.call('POST', `/v1/projects/${project}/emu3/vms`, { name: 'PC1', vm_id: id })
  const sockets = emulationSocketRoutes(lab.emulation, {
    authorize: {
      '*': ({ headers }) => (headers.authorization === lab.authorization ? { type: 'admin' } : undefined),
    },
    ...options,
  })
  return { ...lab, sockets }
}

const consoleRoute = (sockets: readonly SocketRoute[], start = '/v1/projects/{project_id}/emu3/') =>
  sockets.find(({ operation }) => operation.path.startsWith(start))

interface Request {
  readonly params?: Record<string, string>
  readonly query?: string
  readonly headers?: Record<string, string>
}

async function accept(lab: Awaited<ReturnType<typeof openLab>>, request: Request = {}) {
  const verdict = await consoleRoute(lab.sockets)?.accept({
    method: 'GET',
    params: { project_id: project, vm_id: id, ...request.params },
    query: request.query ?? '',
    headers: request.headers ?? { authorization: lab.authorization },
    remoteAddress: undefined,
    host: undefined,
    mount: { origin: 'http://localhost', path: '' },
    signal: new AbortController().signal,
  })
  if (!verdict) throw new Error('There is no such socket')
  return verdict
}

function fakeSocket() {
  const listeners: { message?: (message: string | Uint8Array) => void; close?: () => void } = {}
  const socket = {
    shown: '',
    closed: undefined as number | undefined,
    bufferedBytes: 0,
    send: (message: string | Uint8Array) => {
      socket.shown += typeof message === 'string' ? message : new TextDecoder().decode(message)
    },
    close: (code?: number) => {
      socket.closed = code
    },
    onMessage: (listener: (message: string | Uint8Array) => void) => {
      listeners.message = listener
    },
    onClose: (listener: () => void) => {
      listeners.close = listener
    },
    type: (message: string | Uint8Array) => listeners.message?.(message),
    leave: () => listeners.close?.(),
  }
  return socket satisfies Socket
}

async function statusOf(lab: Awaited<ReturnType<typeof openLab>>, request: Request = {}) {
  const verdict = await accept(lab, request)
  return 'reply' in verdict ? verdict.reply.status : 101
}

describe('the console of a user of the host', () => {
  const user = (fields: Partial<UserCaller>): EmulationRoutesOptions => ({
    authorize: { '*': () => ({ ...fields, type: 'user', id: 'ada' }) },
  })

  it('opens where the user sees the project', async () => {
    const lab = await openLab(user({ labs: [project] }))
    await lab.call('POST', `${path}/start`)
    expect(await accept(lab, { headers: {} })).toMatchObject({ identity: { type: 'user', id: 'ada' } })
    expect(await statusOf(lab, { headers: {} })).toBe(101)
  })

  it('returns 404 where the user does not see the project', async () => {
    const lab = await openLab({ admin: () => true })
    const sockets = emulationSocketRoutes(lab.emulation, user({}))
    expect(await statusOf({ ...lab, sockets }, { headers: {} })).toBe(404)
  })

  it('returns 403 to a user who may only read', async () => {
    const lab = await openLab({ admin: () => true })
    const sockets = emulationSocketRoutes(lab.emulation, user({ labs: 'all', scopes: ['read'] }))
    expect(await statusOf({ ...lab, sockets }, { headers: {} })).toBe(403)
  })
})

describe('emulationSocketRoutes', () => {
  it('sends and accepts the same bytes as a telnet viewer', async () => {
    const lab = await openLab()
    await lab.call('POST', `${path}/start`)
    const [one, other] = [fakeSocket(), fakeSocket()]
    for (const socket of [one, other]) {
      const verdict = await accept(lab)
      if ('open' in verdict) verdict.open(socket)
    }
    const tcp = lab.consoles.get(2000)?.('')
    one.type('show ip\r')
    other.type(new TextEncoder().encode('ping\r'))
    const run = lab.emulators['virtual-pc'].runs[0]
    run?.print('PC1> ')
    expect(run?.typed).toEqual(['show ip\r', 'ping\r'])
    expect([one.shown, other.shown]).toEqual(['PC1 is up\r\nPC1> ', 'PC1 is up\r\nPC1> '])
    expect(tcp?.received.slice(1)).toEqual(['PC1 is up\r\n', 'PC1> '])
    one.leave()
    run?.print('more')
    expect(one.shown).not.toContain('more')
    await lab.call('POST', `${path}/stop`)
    expect([one.closed, other.closed]).toEqual([undefined, 1001])
  })

  it('closes the socket of a viewer that does not keep up', async () => {
    const lab = await openLab()
    await lab.call('POST', `${path}/start`)
    const socket = fakeSocket()
    const verdict = await accept(lab)
    if ('open' in verdict) verdict.open(socket)
    socket.bufferedBytes = 2 ** 21
    lab.emulators['virtual-pc'].runs[0]?.print('x')
    expect(socket.closed).toBe(1013)
  })

  it('refuses a request with the same errors as an operation', async () => {
    const lab = await openLab()
    expect(await statusOf(lab, { headers: {} })).toBe(401)
    expect(await statusOf(lab, { params: { vm_id: 'x' } })).toBe(400)
    expect(await statusOf(lab, { params: { vm_id: absent } })).toBe(404)
    expect(await statusOf(lab, { params: { project_id: absent } })).toBe(404)
    expect(await statusOf(lab)).toBe(409)
    expect(await statusOf(lab, { query: `ticket=${'x'.repeat(129)}` })).toBe(400)
    const verdict = await accept(lab)
    if (!('reply' in verdict) || verdict.reply.kind !== 'json') throw new Error('It was accepted')
    expect(verdict.reply.value).toEqual({ message: 'The emu3 VM PC1 is not started.', status: 409 })
    expect(verdict.reply.headers['x-route']).toBe('/v1/projects/{project_id}/emu3/vms/{vm_id}/console/ws')
  })

  it('accepts a ticket once, also from a page of another origin', async () => {
    const lab = await openLab()
    const early = await lab.call('POST', `${path}/console/ticket`)
    expect(early.status).toBe(409)
    await lab.call('POST', `${path}/start`)
    const issued = lab.client.createConsoleTicketEmu3({ params: { project_id: project, vm_id: id } })
    const { ticket, expires_at } = await expectOk(issued)
    expect([ticket, expires_at]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/Z$/)])
    const foreign = { origin: 'https://evil.example', host: 'server' }
    expect(await statusOf(lab, { headers: { ...foreign, authorization: lab.authorization } })).toBe(401)
    expect(await statusOf(lab, { headers: foreign, query: `ticket=${ticket}` })).toBe(101)
    expect(await statusOf(lab, { headers: {}, query: `ticket=${ticket}` })).toBe(401)
    const same = { origin: 'http://server', host: 'server', authorization: lab.authorization }
    expect(await statusOf(lab, { headers: same })).toBe(101)
    expect((await lab.call('POST', `/v1/projects/${project}/emu3/vms/${absent}/console/ticket`)).status).toBe(404)
    expect((await lab.call('POST', `/v1/projects/${project}/emu3/vms/x/console/ticket`)).status).toBe(400)
  })

  it('serves a console at every path of its kind', async () => {
    const lab: HttpLab = createHttpLab()
    const paths = emulationSocketRoutes(lab.emulation, { productNames: true }).map(({ operation }) => operation.path)
    for (const kind of ['emu1', 'emu2', 'emu3', 'emu4', 'qemu', 'iou', 'vpcs', 'virtualbox']) {
      const template = `/projects/{project_id}/${kind}/vms/{vm_id}/console/ws`
      expect(paths).toContain(template)
      expect(paths).toContain(`/v1${template}`)
    }
  })
})
