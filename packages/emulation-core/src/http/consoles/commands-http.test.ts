import { expectOk } from '@trivium/http-client'
import { describe, expect, it, vi } from 'vitest'
import { createHttpLab } from '../../../tests/http-lab.ts'
import type { InstanceId, ProjectId } from '../../index.ts'

const project = '11111111-1111-4111-8111-111111111111'
const id = '22222222-2222-4222-8222-222222222222'
const reference = { projectId: project as ProjectId, kind: 'virtual-pc', id: id as InstanceId } as const
const path = `/v1/projects/${project}/emu3/vms/${id}`

async function openLab(...options: Parameters<typeof createHttpLab>) {
  const lab = createHttpLab(...options)
  await lab.call('POST', '/v1/projects', { project_id: project })
  await lab.call('POST', `/v1/projects/${project}/emu3/vms`, { name: 'PC1', vm_id: id })
  await lab.call('POST', `${path}/start`)
  const pc = () => {
    const last = lab.emulators['virtual-pc'].runs.at(-1)
    if (!last) throw new Error('It was not started')
    return last
  }
  const typed = (text: string) => vi.waitFor(() => expect(pc().typed.join('')).toContain(text))
  return { ...lab, pc, typed }
}

describe('the operation that runs a command on a console', () => {
  it('types the command, and answers the output that viewers see', async () => {
    const { client, pc, typed, consoles } = await openLab()
    const viewer = consoles.get(2000)?.('')
    const done = client.runCommandEmu3({
      params: { project_id: project, vm_id: id },
      body: { command: 'show ip', prompt: 'PC1>', timeout_seconds: 60 },
    })
    await typed('show ip\r')
    pc().print('show ip\r\n10.0.0.1\r\nPC1> ')
    expect(await expectOk(done)).toEqual({
      output: '10.0.0.1',
      prompt: 'PC1>',
      timed_out: false,
      truncated: false,
      closed: false,
      duration_seconds: expect.any(Number),
    })
    expect(viewer?.received.at(-1)).toBe('show ip\r\n10.0.0.1\r\nPC1> ')
    expect(pc().typed).toEqual(['show ip\r'])
  })

  it('answers with timed_out what has come in time', async () => {
    const { call, pc, typed } = await openLab()
    const done = call('POST', `${path}/run`, { command: 'ping', prompt: 'PC1>', timeout_seconds: 0.3, interrupt: true })
    await typed('ping\r')
    pc().print('ping\r\nreply\r\n')
    expect(await done).toMatchObject({ status: 200, body: { output: 'reply', prompt: null, timed_out: true } })
    expect(pc().typed).toEqual(['ping\r', '\x03'])
  })

  it('answers with closed what has come when the instance stops or is deleted', async () => {
    for (const end of ['stop', 'delete']) {
      const { call, pc, typed } = await openLab()
      const done = call('POST', `${path}/run`, { command: 'halt', prompt: 'PC1>', timeout_seconds: 60 })
      await typed('halt\r')
      pc().print('halt\r\nbye')
      await (end === 'stop' ? call('POST', `${path}/stop`) : call('DELETE', path))
      expect(await done).toMatchObject({ status: 200, body: { output: 'bye', timed_out: false, closed: true } })
    }
  })

  it('returns 409 where no prompt comes, the instance stops meanwhile or is not started', async () => {
    const { call, pc, typed } = await openLab()
    const message = "The console of the emu3 VM PC1 shows no prompt. Its last line is ''. The command was not typed."
    const absent = await call('POST', `${path}/run`, { command: 'show ip', timeout_seconds: 0.1 })
    expect(absent).toMatchObject({ status: 409, body: { message } })
    expect(new Set(pc().typed)).toEqual(new Set(['\r']))

    pc().typed.length = 0
    const stopped = call('POST', `${path}/run`, { command: 'show ip', timeout_seconds: 60 })
    await typed('\r')
    await call('POST', `${path}/stop`)
    const notStarted = { status: 409, body: { message: 'The emu3 VM PC1 is not started.' } }
    expect(await stopped).toMatchObject(notStarted)
    expect(await call('POST', `${path}/run`, { command: 'show ip' })).toMatchObject(notStarted)
  })

  it('returns 409 for a second command on the same console, and beyond the limit of the server', async () => {
    const { call, pc, typed } = await openLab({}, { limits: { consoleCommands: 1 } })
    const other = await call('POST', `/v1/projects/${project}/emu2/vms`, { name: 'R1', path: '/router' })
    const { vm_id } = other.body as { readonly vm_id: string }
    const router = `/v1/projects/${project}/emu2/vms/${vm_id}`
    expect((await call('POST', `${router}/start`)).status).toBe(204)
    const body = { command: 'show', prompt: '>', timeout_seconds: 60 }
    const first = call('POST', `${path}/run`, body)
    await typed('show\r')
    expect(await call('POST', `${path}/run`, body)).toMatchObject({
      status: 409,
      body: { message: 'Another command runs on the console of the emu3 VM PC1. Wait until it has ended.' },
    })
    expect(await call('POST', `${router}/run`, body)).toMatchObject({
      status: 409,
      body: { message: 'A server cannot have more than 1 commands at the same time.' },
    })
    pc().print('show\r\nPC1>')
    expect((await first).status).toBe(200)
    const again = call('POST', `${path}/run`, body)
    await vi.waitFor(() => expect(pc().typed).toHaveLength(2))
    pc().print('show\r\nPC1>')
    expect((await again).status).toBe(200)
  })

  it('returns 409 where the console has too many viewers, or does not exist', async () => {
    const { call } = await openLab({}, { consoleHub: { viewerLimit: 0 } })
    expect(await call('POST', `${path}/run`, { command: '' })).toMatchObject({
      status: 409,
      body: { message: 'A console cannot have more than 0 viewers.' },
    })
    const silent = { name: 'M1', emu1_path: '/usr/bin/qemu-system-x86_64', vm_id: id, console_type: 'none' }
    const other = createHttpLab()
    await other.call('POST', '/v1/projects', { project_id: project })
    await other.call('POST', `/v1/projects/${project}/emu1/vms`, silent)
    await other.call('POST', `/v1/projects/${project}/emu1/vms/${id}/start`)
    expect(await other.call('POST', `/v1/projects/${project}/emu1/vms/${id}/run`, { command: '' })).toMatchObject({
      status: 409,
      body: { message: 'The emu1 VM M1 has no console.' },
    })
  })

  it.each([
    [{}, "'command' is a required property"],
    [{ command: 7 }, "7 is not of type 'string' in field 'command'"],
    [{ command: 'show\rreload' }, "has control characters in field 'command'"],
    [{ command: 'show\n' }, "has control characters in field 'command'"],
    [{ command: '\x03' }, "has control characters in field 'command'"],
    [{ command: 'x'.repeat(2049) }, "is too long in field 'command'"],
    [{ command: '', timeout_seconds: 0 }, "0 is less than the minimum of 0.1 in field 'timeout_seconds'"],
    [{ command: '', timeout_seconds: 301 }, "301 is greater than the maximum of 300 in field 'timeout_seconds'"],
    [{ command: '', prompt: '' }, "'' is too short in field 'prompt'"],
    [{ command: '', prompt: '  ' }, "'  ' is blank in field 'prompt'"],
    [{ command: '', prompt: 'x'.repeat(201) }, "is too long in field 'prompt'"],
    [{ command: '', interrupt: 1 }, "1 is not of type 'boolean' in field 'interrupt'"],
    [{ command: '', shell: true }, "Additional properties are not allowed ('shell' was unexpected)"],
  ])('returns 400 for %j', async (body, message) => {
    const { call, pc } = await openLab()
    const refused = await call('POST', `${path}/run`, body)
    expect([refused.status, refused.body]).toEqual([400, { message: expect.stringContaining(message), status: 400 }])
    expect(pc().typed).toEqual([])
  })

  it('types nothing further once the client has disconnected', async () => {
    const { request, typed, emulation, pc } = await openLab()
    const controller = new AbortController()
    const body = JSON.stringify({ command: 'show', prompt: '>', timeout_seconds: 60 })
    const done = request('POST', `${path}/run`, { body, signal: controller.signal }).catch(() => undefined)
    await typed('show\r')
    controller.abort()
    await done
    const hub = (await emulation.consoles.find(reference))._unsafeUnwrap()
    await vi.waitFor(() => expect(hub.viewers).toBe(0))
    expect(pc().typed).toEqual(['show\r'])
  })

  it('ends when the routes of the host stop', async () => {
    const { call, typed, stop } = await openLab()
    const done = call('POST', `${path}/run`, { command: 'show', prompt: '>', timeout_seconds: 60 })
    await typed('show\r')
    await stop()
    expect(await done).toMatchObject({ status: 200, body: { closed: true, timed_out: false } })
  })

  it('returns 403 to a user whose scopes do not name it', async () => {
    const scopes = ['openConsoleEmu3', 'startEmu3']
    const lab = await openLab({
      authorize: {
        '*': ({ headers }) =>
          headers['x-user'] === undefined ? 'default' : { type: 'user', id: 'ada', labs: [project], scopes },
      },
    })
    const ask = () => {
      const body = JSON.stringify({ command: 'show', prompt: '>', timeout_seconds: 0.2 })
      return lab.request('POST', `${path}/run`, { body, headers: { 'x-user': 'ada' } })
    }
    expect((await ask()).status).toBe(403)
    expect(lab.pc().typed).toEqual([])
    scopes.push('runCommandEmu3')
    expect((await ask()).status).toBe(200)
  })

  it('exists for each kind with a console, also under product names', () => {
    const { routes } = createHttpLab({ productNames: true })
    const paths = routes.map(({ operation }) => `${operation.method} ${operation.path}`)
    for (const kind of ['emu1', 'emu2', 'emu3', 'emu4', 'qemu', 'iou', 'vpcs', 'virtualbox'])
      expect(paths).toContain(`POST /v1/projects/{project_id}/${kind}/vms/{vm_id}/run`)
  })
})
