import { describe, expect, it } from 'vitest'
import { createHttpLab } from '../tests/http-lab.ts'
import { createLab, createStores } from '../tests/lab.ts'
import { emulationContract } from './http/index.ts'
import type { InstanceId } from './instances/instance.ts'
import type { ProjectId } from './projects/project.ts'

const projectId = '11111111-1111-4111-8111-111111111111' as ProjectId
const pc = { projectId, kind: 'virtual-pc', id: '22222222-2222-4222-8222-000000000001' as InstanceId } as const
const switchId = '22222222-2222-4222-8222-000000000002' as InstanceId

const nic = { adapter: 0, port: 0 }
const cable = { type: 'udp', localPort: 10_000, remoteHost: '127.0.0.1', remotePort: 10_001 } as const

/** Stores with outages: `after` makes a write and then fails, `once removed` makes a removal and then fails. */
function unreliableStores() {
  const { repositories, files } = createStores()
  const outage: { kind: 'none' | 'away' | 'after' | 'once removed'; cause: Error } = {
    kind: 'none',
    cause: new Error('secret words'),
  }
  const unreliable = <Repository extends object>(repository: Repository): Repository =>
    new Proxy(repository, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return async (...values: readonly unknown[]): Promise<unknown> => {
          if (outage.kind === 'away') throw outage.cause
          const answer: unknown = await Reflect.apply(method, target, values)
          if (outage.kind === 'once removed' && name === 'remove') outage.kind = 'away'
          if (outage.kind === 'after' && ['add', 'replace', 'remove'].includes(String(name))) throw outage.cause
          return answer
        }
      },
    })
  const { projects, instances } = repositories
  return {
    outage,
    stores: { repositories: { projects: unreliable(projects), instances: unreliable(instances) }, files },
  }
}

const udp = { type: 'nio_udp', lport: 10_000, rhost: '127.0.0.1', rport: 10_001 }

/** Request bodies by method and path. The first match counts. */
const BODIES: readonly (readonly [RegExp, unknown])[] = [
  [/^POST .*emu1\/vms$/, { name: 'M', emu1_path: 'q' }],
  [/^POST .*emu1\/appliances$/, { name: 'A', qemu: {} }],
  [/^POST .*emu2\/vms$/, { name: 'R', path: 'iou.bin' }],
  [/^POST .*(emu3\/vms|emu5\/devices|(nat|cloud)\/nodes)$/, { name: 'X' }],
  [/^POST .*emu4\/vms$/, { name: 'D', vmname: 'desktop', linked_clone: false }],
  [/^POST .*emu5.*\/nio$/, { nio: udp }],
  [/^POST .*\/nio$/, udp],
  [/\/run$/, { command: 'show ip' }],
  [/start_capture$/, { capture_file_name: 'a.pcap', data_link_type: 'DLT_EN10MB' }],
]

/** Operations that do not use the store. */
const WITHOUT_STORE = [
  ...['getVersion', 'checkVersion', 'listInterfaces', 'createUdpPort', 'reloadConfiguration'],
  ...['listEmu1Binaries', 'getEmu1Capabilities', 'listEmu4Names'],
  // This server keeps no disk images.
  ...['listDiskImages', 'getDiskImage', 'putDiskImage', 'createDiskImage', 'resizeDiskImage', 'deleteDiskImage'],
]

describe('an emulation with a failing store', () => {
  const operations = Object.entries(emulationContract).filter(([id]) => !WITHOUT_STORE.includes(id))

  it.each(
    operations.map(([id, { method, path, responses }]) => ({ id, method, path, responses })),
  )('answers $id with a declared 503, and reports one fault', async ({ method, path, responses }) => {
    const { outage, stores } = unreliableStores()
    const { call, faults } = createHttpLab({}, {}, stores)
    await call('GET', '/v1/projects')
    outage.kind = 'away'
    const filled = path
      .replaceAll('{project_id}', projectId)
      .replaceAll(/\{(vm|device|node)_id\}/g, pc.id)
      .replaceAll(/\{[^}]+\}/g, '0')
    const body = BODIES.find(([fits]) => fits.test(`${method} ${path}`))?.[1]
    const answer = await call(method, filled, body)
    expect(answer.body).toEqual({ message: 'The store is unavailable.', status: 503 })
    expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('x-route')]).toEqual([503, '1', path])
    expect(responses).toHaveProperty('503')
    expect(faults).toMatchObject([{ name: 'StoreFailure', cause: outage.cause }])
  })

  it('keeps instances running, and works again after the outage', async () => {
    const { outage, stores } = unreliableStores()
    const { emulation } = createLab({}, stores)
    await emulation.projects.create({ id: projectId })
    await emulation.instances.create({ ...pc, name: 'PC1', settings: {} })
    await emulation.lifecycle.start(pc)
    outage.kind = 'away'
    await expect(emulation.instances.find(pc)).rejects.toMatchObject({ name: 'StoreFailure' })
    await expect(emulation.lifecycle.reload(pc)).rejects.toMatchObject({ name: 'StoreFailure' })
    outage.kind = 'none'
    expect((await emulation.instances.find(pc))._unsafeUnwrap()).toMatchObject({ name: 'PC1', state: 'started' })
    expect((await emulation.lifecycle.stop(pc))._unsafeUnwrap().state).toBe('stopped')
  })

  it('recovers from the last run after the outage', async () => {
    const { outage, stores } = unreliableStores()
    const first = createLab({}, stores)
    await first.emulation.projects.create({ id: projectId })
    await first.emulation.instances.create({
      projectId,
      kind: 'ethernet-switch',
      id: switchId,
      name: 'SW',
      settings: {},
    })
    const second = createLab({ limits: { instancesOfAProject: 2 } }, stores)
    outage.kind = 'away'
    await expect(second.emulation.start()).rejects.toMatchObject({ name: 'StoreFailure' })
    outage.kind = 'none'
    expect(await second.emulation.start()).toMatchObject({ projects: 1, instances: 1, problems: [] })
    expect((await second.emulation.instances.create({ ...pc, name: 'PC1', settings: {} })).isOk()).toBe(true)
  })

  it('closes the viewers of a console after a failed reload', async () => {
    const { outage, stores } = unreliableStores()
    const { emulation } = createLab({}, stores)
    const router = { projectId, kind: 'router', id: pc.id } as const
    await emulation.projects.create({ id: projectId })
    await emulation.instances.create({ ...router, name: 'R1', settings: { image: '/r' } })
    await emulation.lifecycle.start(router)
    const hub = (await emulation.consoles.find(router))._unsafeUnwrap()
    const ends: string[] = []
    hub.attach({ send: () => {}, bufferedBytes: 0, close: (reason) => void ends.push(reason) })
    outage.kind = 'after'
    await expect(emulation.lifecycle.reload(router)).rejects.toMatchObject({ name: 'StoreFailure' })
    outage.kind = 'none'
    expect((await emulation.instances.find(router))._unsafeUnwrap().state).toBe('stopped')
    expect(ends).toEqual(['ended'])
  })

  it('stores and reports the end of each run after the outage', async () => {
    const { outage, stores } = unreliableStores()
    const { emulation, emulators, emitted, faults } = createLab({}, stores)
    const { projects, instances, lifecycle } = emulation
    const router = { projectId, kind: 'router', id: pc.id } as const
    await projects.create({ id: projectId })
    await instances.create({ ...router, name: 'R1', settings: { image: '/r' } })
    await lifecycle.start(router)
    emitted.length = 0
    outage.kind = 'away'
    emulators.router.runs[0]?.endProcess({ exitCode: 1, log: '' })
    await expect.poll(() => faults).toHaveLength(1)
    outage.kind = 'none'
    expect((await instances.find(router))._unsafeUnwrap()).toMatchObject({ state: 'stopped', processes: [] })
    expect(emitted).toEqual(['instance.stopped', 'log'])
    await lifecycle.start(router)
    outage.kind = 'after'
    await expect(lifecycle.stop(router)).rejects.toMatchObject({ name: 'StoreFailure' })
    outage.kind = 'none'
    expect((await lifecycle.stop(router))._unsafeUnwrap()).toMatchObject({ state: 'stopped', processes: [] })
    expect(emitted.slice(2)).toEqual(['instance.started', 'instance.stopped'])
  })

  it('stops running instances when it closes during an outage', async () => {
    const { outage, stores } = unreliableStores()
    const { emulation, emulators, consoles, faults } = createLab({}, stores)
    await emulation.projects.create({ id: projectId })
    await emulation.instances.create({ ...pc, name: 'PC1', settings: {} })
    await emulation.lifecycle.start(pc)
    outage.kind = 'away'
    await emulation.close()
    expect(emulators['virtual-pc'].runs[0]?.calls).toEqual(['stop'])
    expect(consoles.size).toBe(0)
    expect(faults).toMatchObject([{ name: 'StoreFailure' }])
  })

  it('stops a program whose start could not be stored', async () => {
    const { outage, stores } = unreliableStores()
    const { emulation, emulators, consoles } = createLab({}, stores)
    const machine = { projectId, kind: 'machine', id: pc.id } as const
    await emulation.projects.create({ id: projectId })
    await emulation.instances.create({ ...machine, name: 'M1', settings: { program: 'q' } })
    const { emulator, runs } = emulators.machine
    const { start } = emulator
    // This emulator does not notice that the store fails.
    emulator.start = async (instance, wiring) => start(instance, wiring, { recorded: async () => {} })
    outage.kind = 'after'
    await expect(emulation.lifecycle.start(machine)).rejects.toMatchObject({ name: 'StoreFailure' })
    expect(runs.map(({ calls }) => calls)).toEqual([['stop']])
    expect(consoles.size).toBe(0)
    outage.kind = 'none'
    expect((await emulation.lifecycle.start(machine)).isOk()).toBe(true)
    expect(runs).toHaveLength(2)
  })

  it('frees everything of an instance and a project when the answer to their removal is lost', async () => {
    const { outage, stores } = unreliableStores()
    const { emulation, relay, ports } = createLab({ limits: { projects: 1, instancesOfAProject: 1 } }, stores)
    const { projects, instances, connections } = emulation
    await projects.create({ id: projectId })
    await instances.create({ ...pc, name: 'PC1', settings: {} })
    await connections.connect(pc, nic, { nio: cable })
    outage.kind = 'after'
    await expect(instances.remove(pc)).rejects.toMatchObject({ name: 'StoreFailure' })
    outage.kind = 'none'
    const next = await instances.create({ projectId, kind: 'virtual-pc', name: 'PC2', settings: {} })
    expect(next._unsafeUnwrap()).toMatchObject({ slot: 0, settings: { console: 2000 } })
    expect(relay.cables.size).toBe(0)
    expect(await ports.claim('udp', 10_000)).toBe('claimed')
    await instances.remove({ ...pc, id: next._unsafeUnwrap().id })
    outage.kind = 'after'
    await expect(projects.remove(projectId)).rejects.toMatchObject({ name: 'StoreFailure' })
    outage.kind = 'none'
    expect((await projects.create({})).isOk()).toBe(true)
  })

  it('connects and disconnects a switch port when the answer of the store is lost', async () => {
    const { outage, stores } = unreliableStores()
    const { emulation, emulators, relay, ports } = createLab({}, stores)
    const { projects, instances, connections } = emulation
    const device = { projectId, kind: 'ethernet-switch', id: switchId } as const
    await projects.create({ id: projectId })
    await instances.create({ ...device, name: 'SW', settings: {} })
    const run = emulators['ethernet-switch'].runs[0]
    const port = { adapter: 0, port: 1 }
    outage.kind = 'after'
    const connect = connections.connectSwitchPort(device, 1, { nio: cable, settings: { type: 'access', vlan: 7 } })
    await expect(connect).rejects.toMatchObject({ name: 'StoreFailure' })
    expect(relay.cables.size).toBe(0)
    expect(run?.nics.get('0/1')).toEqual({ connected: false, linkUp: false })
    outage.kind = 'none'
    expect((await connections.find(device, port)).isOk()).toBe(true)
    expect(relay.cables.get(`${switchId}/0/1`)).toMatchObject({ nio: cable, up: true })
    expect(run?.nics.get('0/1')).toEqual({ connected: true, linkUp: true })
    expect(run?.calls).toEqual(['update SW', 'update SW', 'update SW'])

    outage.kind = 'after'
    await expect(connections.disconnect(device, port)).rejects.toMatchObject({ name: 'StoreFailure' })
    outage.kind = 'none'
    expect((await connections.find(device, port))._unsafeUnwrapErr().type).toBe('nic-not-connected')
    expect(relay.cables.size).toBe(0)
    expect(run?.nics.get('0/1')).toEqual({ connected: false, linkUp: false })
    for (const freed of [10_000, 10_001]) expect(await ports.claim('udp', freed)).toBe('claimed')
  })

  it('replaces a NIO and sets a link down when the answer of the store is lost', async () => {
    const { outage, stores } = unreliableStores()
    const { emulation, relay, ports } = createLab({}, stores)
    const { projects, instances, connections } = emulation
    await projects.create({ id: projectId })
    await instances.create({ ...pc, name: 'PC1', settings: {} })
    await connections.connect(pc, nic, { nio: { ...cable, localPort: 10_003 } })
    const current = () => relay.cables.get(`${pc.id}/0/0`)
    outage.kind = 'after'
    const recable = connections.connect(pc, nic, { nio: { ...cable, remotePort: 10_002 } })
    await expect(recable).rejects.toMatchObject({ name: 'StoreFailure' })
    outage.kind = 'none'
    expect((await connections.find(pc, nic)).isOk()).toBe(true)
    expect(current()?.nio).toMatchObject({ remotePort: 10_002 })
    for (const freed of [10_001, 10_003]) expect(await ports.claim('udp', freed)).toBe('claimed')
    for (const used of [10_000, 10_002]) expect(await ports.claim('udp', used)).toBe('taken')
    outage.kind = 'after'
    await expect(connections.change(pc, nic, { linkUp: false })).rejects.toMatchObject({ name: 'StoreFailure' })
    outage.kind = 'none'
    expect((await connections.find(pc, nic))._unsafeUnwrap().connection.linkUp).toBe(false)
    expect(current()?.up).toBe(false)
  })

  it('applies an update when the answer of the store is lost', async () => {
    const { outage, stores } = unreliableStores()
    const { emulation, emulators, relay, consoles, ports, emitted } = createLab({}, stores)
    const { projects, instances, connections, lifecycle } = emulation
    const router = { projectId, kind: 'router', id: pc.id } as const
    await projects.create({ id: projectId })
    await instances.create({ ...router, name: 'R1', settings: { image: '/r' } })
    await connections.connect(router, { adapter: 2, port: 0 }, { nio: cable })
    await lifecycle.start(router)
    emitted.length = 0
    outage.kind = 'after'
    const update = instances.update(router, { name: 'R2', settings: { console: 2100, serialAdapters: 0 } })
    await expect(update).rejects.toMatchObject({ name: 'StoreFailure' })
    expect([...consoles.keys()]).toEqual([2000])
    outage.kind = 'none'
    const found = (await instances.find(router))._unsafeUnwrap()
    expect(found).toMatchObject({ name: 'R2', settings: { console: 2100 }, connections: [] })
    expect([...consoles.keys()]).toEqual([2100])
    expect(relay.cables.size).toBe(0)
    expect(emulators.router.runs[0]?.calls).toEqual(['update R2', 'update R1', 'update R2'])
    expect(await Promise.all([ports.claim('console', 2000), ports.claim('udp', 10_000)])).toEqual([
      'claimed',
      'claimed',
    ])
    expect(await ports.claim('console', 2100)).toBe('taken')
    expect(emitted).toEqual(['link.changed', 'instance.updated'])
  })

  it('frees everything of an instance with a capture when the store fails after its removal', async () => {
    const { outage, stores } = unreliableStores()
    const { emulation, relay, ports } = createLab({}, stores)
    const { projects, instances, connections, captures } = emulation
    await projects.create({ id: projectId })
    await instances.create({ ...pc, name: 'PC1', settings: {} })
    await connections.connect(pc, nic, { nio: cable })
    await captures.start(pc, nic, { fileName: 'a.pcap' })
    outage.kind = 'once removed'
    await expect(instances.remove(pc)).rejects.toMatchObject({ name: 'StoreFailure' })
    outage.kind = 'none'
    const next = (await instances.create({ ...pc, name: 'PC2', settings: {} }))._unsafeUnwrap()
    expect(next).toMatchObject({ slot: 0, settings: { console: 2000 } })
    expect(relay.cables.size).toBe(0)
    expect(await ports.claim('udp', 10_000)).toBe('claimed')
  })

  it('never assigns the ports of an instance twice when the answer to its creation is lost', async () => {
    const { outage, stores } = unreliableStores()
    const { emulation } = createLab({}, stores)
    await emulation.projects.create({ id: projectId })
    outage.kind = 'after'
    await expect(emulation.instances.create({ ...pc, name: 'PC1', settings: {} })).rejects.toThrow()
    outage.kind = 'none'
    const next = await emulation.instances.create({ projectId, kind: 'virtual-pc', name: 'PC2', settings: {} })
    const kept = (await emulation.instances.create({ ...pc, name: 'PC1', settings: {} }))._unsafeUnwrap()
    expect(next._unsafeUnwrap().settings.console).not.toBe(kept.settings.console)
    expect(next._unsafeUnwrap().slot).not.toBe(kept.slot)
  })
})
