import { toOpenApi } from '@trivium/http-contract/openapi'
import { describe, expect, it } from 'vitest'
import { createHttpLab, type HttpLab } from '../../../tests/http-lab.ts'

const project = '11111111-1111-4111-8111-111111111111'
const id = '22222222-2222-4222-8222-222222222222'

async function open({ request, call }: HttpLab, accept?: string) {
  await call('POST', '/v1/projects', { project_id: project })
  const response = await request('GET', `/v1/projects/${project}/notifications`, accept ? { headers: { accept } } : {})
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  const next = async () => {
    const chunk = await reader?.read()
    return chunk?.done === false ? decoder.decode(chunk.value) : undefined
  }
  return { response, next, cancel: async () => reader?.cancel() }
}

describe('the notification stream', () => {
  it('sends one JSON object in each line, first a ping', async () => {
    const lab = createHttpLab({}, { usage: async () => ({ cpuPercent: 12.5, memoryPercent: 50 }) })
    const { response, next, cancel } = await open(lab)
    expect(response.headers.get('content-type')).toBe('application/x-ndjson')
    expect(response.headers.get('x-route')).toBe('/v1/projects/{project_id}/notifications')
    expect(await next()).toBe('{"action":"ping","event":{"cpu_usage_percent":12.5,"memory_usage_percent":50}}\n')
    const made = await lab.call('POST', `/v1/projects/${project}/emu3/vms`, { name: 'PC1', vm_id: id })
    expect(JSON.parse((await next()) ?? '')).toEqual({ action: 'vm.created', event: made.body })
    await lab.call('POST', `/v1/projects/${project}/emu3/vms/${id}/start`)
    expect(JSON.parse((await next()) ?? '')).toEqual({ action: 'vm.started', event: made.body })
    await cancel()
  })

  it('sends server-sent events to a client that accepts them', async () => {
    const lab = createHttpLab()
    const { response, next, cancel } = await open(lab, 'text/event-stream')
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(await next()).toMatch(/^event: ping\ndata: \{"action":"ping",.*\}\n\n$/)
    await cancel()
  })

  it('ends when the host stops', async () => {
    const lab = createHttpLab()
    const { next } = await open(lab)
    await next()
    const [last] = await Promise.all([next(), lab.stop()])
    expect(last).toBeUndefined()
  })

  it('declares both content types', () => {
    const { paths } = toOpenApi([{ operations: createHttpLab().routes }], {
      info: { title: 'Emulation', version: '1' },
    })
    const { content = {} } = paths['/v1/projects/{project_id}/notifications']?.get?.responses[200] ?? {}
    expect(Object.keys(content)).toEqual(['application/x-ndjson', 'text/event-stream'])
  })

  it('reports all events of the project, and none of other projects', async () => {
    const lab = createHttpLab()
    const listeners = () =>
      lab.emulation.events.eventNames().map((name) => [name, lab.emulation.events.listenerCount(name)])
    const before = listeners()
    const { next } = await open(lab)
    const { call } = lab
    await next()
    const other = '33333333-3333-4333-8333-333333333333'
    await call('POST', '/v1/projects', { project_id: other })
    await call('POST', `/v1/projects/${other}/emu3/vms`, { name: 'elsewhere' })
    const vms = `/v1/projects/${project}/emu1/vms`
    await call('POST', vms, { name: 'M1', emu1_path: 'q', vm_id: id })
    const nio = { type: 'nio_udp', lport: 10_000, rhost: '127.0.0.1', rport: 10_001 }
    const nic = `${vms}/${id}/adapters/0/ports/0`
    await call('POST', `${nic}/nio`, nio)
    await call('POST', `${nic}/start_capture`, { capture_file_name: 'a.pcap' })
    await call('POST', `${nic}/stop_capture`)
    await call('DELETE', `${nic}/nio`)
    for (const verb of ['start', 'suspend', 'resume']) await call('POST', `${vms}/${id}/${verb}`)
    const stopped = new Promise((resolve) => lab.emulation.events.once('log', resolve))
    lab.emulators.machine.runs[0]?.endProcess({ exitCode: 1, log: 'oops' })
    await stopped
    await call('PUT', `${vms}/${id}`, { name: 'M2' })
    await call('DELETE', `${vms}/${id}`)
    await call('POST', `/v1/projects/${project}/commit`)
    await call('PUT', `/v1/projects/${project}`, { temporary: true })
    await call('POST', `/v1/projects/${project}/close`)

    const actions: string[] = []
    const events = new Map<string, unknown>()
    for (let line = await next(); line !== undefined; line = await next()) {
      const { action, event } = JSON.parse(line)
      actions.push(action)
      events.set(action, event)
    }
    expect(actions).toEqual([
      'vm.created',
      'link.updated',
      'capture.started',
      'capture.stopped',
      'link.deleted',
      'vm.started',
      'vm.paused',
      'vm.started',
      'vm.stopped',
      'log.error',
      'vm.updated',
      'vm.deleted',
      'project.committed',
      'project.updated',
      'project.closed',
    ])
    expect(events.get('log.error')).toEqual({ message: 'M1 has stopped by itself, return code 1:\noops' })
    expect(events.get('link.updated')).toMatchObject({ kind: 'emu1', id, adapter_number: 0, port_number: 0, nio })
    expect(events.get('capture.started')).toMatchObject({ kind: 'emu1', id, capture_file_name: 'a.pcap' })
    expect(listeners()).toEqual(before)
  })

  it('sends pings while nothing happens', async () => {
    const { next, cancel } = await open(createHttpLab({ pingSeconds: 0.01 }))
    for (let count = 0; count < 3; count += 1) expect(await next()).toMatch(/"ping"/)
    await cancel()
  })

  it('ends when the backlog of a client is full', async () => {
    const lab = createHttpLab()
    const { next } = await open(lab)
    await next()
    const { notifications } = await import('./notifications.ts')
    const signal = new AbortController().signal
    const source = notifications(lab.emulation, (await lab.emulation.projects.list())[0]?.id ?? ('' as never), signal, {
      pingSeconds: 5,
      backlog: 2,
    })
    await source.next()
    for (const name of ['a', 'b', 'c']) await lab.call('POST', `/v1/projects/${project}/emu3/vms`, { name })
    const rest: string[] = []
    for await (const { action } of source) rest.push(action)
    expect(rest).toEqual(['vm.created', 'vm.created'])
  })
})
