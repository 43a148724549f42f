import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLab } from '../../tests/lab.ts'
import type { EmulationLimits } from '../context.ts'
import type { InstanceId } from '../instances/instance.ts'
import type { ProjectId } from '../projects/project.ts'

const projectId = '11111111-1111-4111-8111-111111111111' as ProjectId
const pc = { projectId, kind: 'virtual-pc', id: '22222222-2222-4222-8222-000000000001' as InstanceId } as const
const router = { projectId, kind: 'router', id: '22222222-2222-4222-8222-000000000002' as InstanceId } as const
const first = { adapter: 0, port: 0 }
const capture = { fileName: 'one.pcap', dataLinkType: 'DLT_EN10MB' }
const DAY_MS = 24 * 60 * 60 * 1000
const signal = new AbortController().signal

async function openLab(limits: Partial<EmulationLimits> = {}) {
  const lab = createLab({ limits })
  const { projects, instances, connections } = lab.emulation
  await projects.create({ id: projectId })
  await instances.create({ ...pc, name: 'PC1', settings: {} })
  await instances.create({ ...router, name: 'R1', settings: { image: '/r' } })
  const udp = (localPort: number) => ({ type: 'udp', localPort, remoteHost: '127.0.0.1', remotePort: 9 }) as const
  await connections.connect(pc, first, { nio: udp(10_000) })
  await connections.connect(router, { adapter: 2, port: 0 }, { nio: udp(10_001) })
  lab.emitted.length = 0
  const send = (bytes: number) => lab.relay.plug({ instanceId: pc.id, ...first }, () => {}).send(new Uint8Array(bytes))
  return { ...lab, send }
}

/** Opens a lab that keeps files for two days, with a clock that the test sets. */
async function openOldLab() {
  const { emulation, clock } = await openLab({ captureDays: 2 })
  const { captures } = emulation
  const names = async () => (await captures.list(projectId))._unsafeUnwrap().map(({ name }) => name)
  const set = (days: number) => {
    clock.time = new Date(Date.now() + days * DAY_MS)
  }
  set(0)
  await names()
  return { captures, names, set }
}

async function length(source: AsyncIterable<Uint8Array>) {
  let bytes = 0
  for await (const chunk of source) bytes += chunk.length
  return bytes
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('Captures', () => {
  it('writes the frames of a NIC to a file of the project', async () => {
    const { emulation, send, emitted } = await openLab()
    const { captures } = emulation
    const path = (await captures.start(pc, first, capture))._unsafeUnwrap()
    expect(path).toBe(`/projects/${projectId}/project-files/captures/one.pcap`)
    send(60)
    expect((await captures.list(projectId))._unsafeUnwrap()).toMatchObject([
      { name: 'one.pcap', bytes: 64, active: true },
    ])
    expect((await captures.stop(pc, first)).isOk()).toBe(true)
    send(60)
    const source = (await captures.read(projectId, 'one.pcap', { follow: false, signal }))._unsafeUnwrap()
    expect(await length(source)).toBe(64)
    expect((await captures.list(projectId))._unsafeUnwrap()).toMatchObject([{ active: false }])
    expect(emitted).toEqual(['capture.started', 'capture.stopped'])
  })

  it('stops a capture at its limit, but not a later one to the same file', async () => {
    const { emulation, relay, emitted } = await openLab()
    const { captures } = emulation
    const start = async () => {
      await captures.start(pc, first, capture)
      return relay.cables.get(`${pc.id}/0/0`)?.capture?.ended
    }
    const activity = async () => (await captures.list(projectId))._unsafeUnwrap().map(({ active }) => active)
    const ended = await start()
    ended?.('capture')
    await expect.poll(activity).toEqual([false])
    expect(emitted).toEqual(['capture.started', 'capture.stopped'])
    expect((await captures.stop(pc, first))._unsafeUnwrapErr().type).toBe('capture-not-active')
    await start()
    ended?.('capture')
    await emulation.connections.change(pc, first, { linkUp: false })
    expect(await activity()).toEqual([true])
  })

  it('refuses to start a capture when those of the project leave no space', async () => {
    const { captures } = (await openLab({ projectCaptureBytes: 30 })).emulation
    const serial = { fileName: 'two.pcap', dataLinkType: 'DLT_C_HDLC' }
    const second = () => captures.start(router, { adapter: 2, port: 0 }, serial)
    await captures.start(pc, first, capture)
    const full = { type: 'limit-reached', what: 'bytes of captures', limit: 30 }
    expect((await second())._unsafeUnwrapErr()).toEqual(full)
    await captures.stop(pc, first)
    expect((await second())._unsafeUnwrap()).toContain('two.pcap')
    await captures.stop(router, { adapter: 2, port: 0 })
    expect((await captures.start(pc, first, capture)).isOk()).toBe(true)
  })

  it('deletes captures that were last written longer ago than the host keeps them', async () => {
    const { captures, names, set } = await openOldLab()
    await captures.start(pc, first, capture)
    vi.advanceTimersByTime(3 * DAY_MS)
    set(3)
    expect(await names()).toEqual(['one.pcap'])
    await captures.stop(pc, first)
    expect(await names()).toEqual([])
    await captures.start(pc, first, capture)
    await captures.stop(pc, first)
    set(1.9)
    expect(await names()).toEqual(['one.pcap'])
  })

  it('deletes no capture by a clock that is ahead until it has run evenly for 24 hours', async () => {
    const { captures, names, set } = await openOldLab()
    await captures.start(pc, first, capture)
    await captures.stop(pc, first)
    set(500)
    expect(await names()).toEqual(['one.pcap'])
    vi.advanceTimersByTime(0.9 * DAY_MS)
    set(500.9)
    expect(await names()).toEqual(['one.pcap'])
    set(0.9)
    expect(await names()).toEqual(['one.pcap'])
    set(500.9)
    expect(await names()).toEqual(['one.pcap'])
    vi.advanceTimersByTime(DAY_MS)
    set(501.9)
    expect(await names()).toEqual([])
  })

  it('streams the frames of a NIC', async () => {
    const { emulation, send } = await openLab()
    const controller = new AbortController()
    const stream = (await emulation.captures.stream(pc, first, { signal: controller.signal }))._unsafeUnwrap()
    const sizes: number[] = []
    for await (const chunk of stream) {
      sizes.push(chunk.length)
      if (sizes.length === 1) queueMicrotask(() => send(100))
      if (sizes.length === 2) controller.abort()
    }
    expect(sizes).toEqual([4, 100])
  })

  it('refuses a second capture on a NIC, and two captures to one file', async () => {
    const { captures } = (await openLab()).emulation
    await captures.start(pc, first, capture)
    expect((await captures.start(pc, first, { ...capture, fileName: 'two' }))._unsafeUnwrapErr().type).toBe(
      'capture-active',
    )
    const serial = { fileName: 'one.pcap', dataLinkType: 'DLT_C_HDLC' }
    const clash = await captures.start(router, { adapter: 2, port: 0 }, serial)
    expect(clash._unsafeUnwrapErr()).toEqual({ type: 'capture-file-busy', fileName: 'one.pcap' })
    expect((await captures.remove(projectId, 'one.pcap'))._unsafeUnwrapErr().type).toBe('capture-file-busy')
    await captures.stop(pc, first)
    expect((await captures.start(router, { adapter: 2, port: 0 }, serial)).isOk()).toBe(true)
  })

  it('requires an existing NIC, a plain name and a supported link type', async () => {
    const { captures } = (await openLab()).emulation
    const type = async (...parameters: Parameters<typeof captures.start>) =>
      (await captures.start(...parameters))._unsafeUnwrapErr().type
    expect(await type(router, { adapter: 9, port: 0 }, capture)).toBe('adapter-not-found')
    expect(await type(router, { adapter: 2, port: 0 }, capture)).toBe('data-link-type-unsupported')
    expect(await type(pc, first, { ...capture, dataLinkType: 'constructor' })).toBe('data-link-type-unsupported')
    expect(await type(pc, first, { ...capture, fileName: '../../x' })).toBe('refused')
    expect((await captures.stop(pc, first))._unsafeUnwrapErr().type).toBe('capture-not-active')
    expect((await captures.stop(router, first))._unsafeUnwrapErr().type).toBe('capture-not-active')
    expect((await captures.start(pc, first, capture)).isOk()).toBe(true)
  })

  it('starts a capture before the NIC is connected, and continues it afterwards', async () => {
    const { emulation, relay, stores } = await openLab()
    const { captures, connections, links, instances } = emulation
    const key = `${router.id}/0/0`
    const path = (await captures.start(router, first, capture))._unsafeUnwrap()
    expect(path.endsWith('/captures/one.pcap')).toBe(true)
    expect((await captures.start(router, first, capture))._unsafeUnwrapErr().type).toBe('capture-active')
    expect((await connections.find(router, first))._unsafeUnwrapErr().type).toBe('nic-not-connected')
    expect((await connections.disconnect(router, first)).isOk()).toBe(true)
    expect((await links.list(projectId))._unsafeUnwrap()).toHaveLength(2)
    const nio = { type: 'udp', localPort: 10_007, remoteHost: '127.0.0.1', remotePort: 9 } as const
    await connections.connect(router, first, { nio })
    expect(relay.cables.get(key)).toMatchObject({ nio, up: true, capture: { linkType: 1 } })
    await captures.stop(router, first)
    expect((await connections.find(router, first))._unsafeUnwrap().connection).toMatchObject({ nio })
    await connections.disconnect(router, first)

    await captures.start(router, first, capture)
    expect((await captures.stop(router, first)).isOk()).toBe(true)
    expect(relay.cables.has(key)).toBe(false)
    expect((await stores.repositories.instances.find(router.id))?.connections).toHaveLength(1)

    const device = { projectId, kind: 'ethernet-switch', name: 'SW1', settings: {} } as const
    const { id } = (await instances.create(device))._unsafeUnwrap()
    const port = { adapter: 0, port: 1 }
    const refused = await captures.start({ projectId, kind: 'ethernet-switch', id }, port, capture)
    expect(refused._unsafeUnwrapErr().type).toBe('nic-not-connected')
  })

  it('continues a capture when the NIO is replaced, and ends it when the NIC is disconnected', async () => {
    const { emulation, relay, emitted } = await openLab()
    const { captures, connections } = emulation
    await captures.start(pc, first, capture)
    const nio = { type: 'udp', localPort: 10_005, remoteHost: '127.0.0.1', remotePort: 9 } as const
    await connections.connect(pc, first, { nio })
    expect((await captures.list(projectId))._unsafeUnwrap()).toMatchObject([{ active: true }])
    expect((await connections.find(pc, first))._unsafeUnwrap().connection.capture?.fileName).toBe('one.pcap')
    expect(relay.cables.get(`${pc.id}/0/0`)?.capture).toBeDefined()
    await connections.disconnect(pc, first)
    expect((await captures.list(projectId))._unsafeUnwrap()).toMatchObject([{ active: false }])
    expect((await captures.remove(projectId, 'one.pcap')).isOk()).toBe(true)
    expect((await captures.remove(projectId, 'one.pcap'))._unsafeUnwrapErr().type).toBe('capture-not-found')
    const absent = await captures.read(projectId, 'one.pcap', { follow: false, signal })
    expect(absent._unsafeUnwrapErr().type).toBe('capture-not-found')
    expect(emitted).toEqual(['capture.started', 'link.changed', 'capture.stopped', 'link.changed'])
  })

  it('emits `link.changed` with the capture that continues', async () => {
    const { emulation } = await openLab()
    const { captures, connections, events } = emulation
    await captures.start(pc, first, capture)
    const changes: unknown[] = []
    events.on('link.changed', (_instance, { connection }) => changes.push(connection?.capture?.fileName))
    const nio = { type: 'udp', localPort: 10_005, remoteHost: '127.0.0.1', remotePort: 9 } as const
    const made = await connections.connect(pc, first, { nio })
    expect(made._unsafeUnwrap().capture?.fileName).toBe('one.pcap')
    expect(changes).toEqual(['one.pcap'])
  })

  it.each([
    ['its instance is deleted', ['capture.stopped', 'instance.deleted']],
    ['its NIC is removed', ['capture.stopped', 'link.changed', 'instance.updated']],
    ['its project is closed', ['capture.stopped', 'project.closed']],
  ] as const)('ends a capture and emits its events when %s', async (what, expected) => {
    const { emulation, emitted } = await openLab()
    const { captures, instances, projects } = emulation
    await captures.start(router, { adapter: 2, port: 0 }, { ...capture, dataLinkType: 'DLT_C_HDLC' })
    emitted.length = 0
    if (what === 'its instance is deleted') await instances.remove(router)
    else if (what === 'its NIC is removed') await instances.update(router, { settings: { serialAdapters: 0 } })
    else await projects.close(projectId)
    expect(emitted).toEqual(expected)
  })
})
