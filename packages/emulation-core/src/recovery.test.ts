import { describe, expect, it } from 'vitest'
import { createLab, createStores } from '../tests/lab.ts'
import type { InstanceId } from './instances/instance.ts'
import type { LinkRelay } from './links/link-relay.ts'
import type { ProjectId } from './projects/project.ts'
import { Refusal } from './refusal.ts'

const projectId = '11111111-1111-4111-8111-111111111111' as ProjectId
const temporaryId = '44444444-4444-4444-8444-444444444444' as ProjectId
const machine = { projectId, kind: 'machine', id: '22222222-2222-4222-8222-000000000001' as InstanceId } as const
const pc = { projectId, kind: 'virtual-pc', id: '22222222-2222-4222-8222-000000000002' as InstanceId } as const
const ethernetSwitch = {
  projectId,
  kind: 'ethernet-switch',
  id: '22222222-2222-4222-8222-000000000003' as InstanceId,
} as const
const udp = (localPort: number, remotePort: number) =>
  ({ type: 'udp', localPort, remoteHost: '127.0.0.1', remotePort }) as const

/** Creates a server that ends without closing, and returns one on the same stores. */
async function createCrashedLab() {
  const stores = createStores()
  const { emulation } = createLab({}, stores)
  const { projects, instances, lifecycle, connections, captures } = emulation
  await projects.create({ id: projectId })
  await projects.create({ id: temporaryId, temporary: true })
  await instances.create({ projectId: temporaryId, kind: 'virtual-pc', name: 'T', settings: {} })
  await instances.create({ ...machine, name: 'M1', settings: { program: 'q', console: 2500 } })
  await instances.create({ ...pc, name: 'PC1', settings: {}, text: 'kept' })
  await instances.create({ ...ethernetSwitch, name: 'SW1', settings: {} })
  await connections.connect(pc, { adapter: 0, port: 0 }, { nio: udp(10_000, 10_001), linkUp: false })
  await connections.connectSwitchPort(ethernetSwitch, 1, {
    nio: udp(10_001, 10_000),
    settings: { type: 'access', vlan: 7 },
  })
  await captures.start(pc, { adapter: 0, port: 0 }, { fileName: 'a.pcap', dataLinkType: 'DLT_EN10MB' })
  await lifecycle.start(machine)
  await lifecycle.start(pc)
  return createLab({}, stores)
}

describe('recovery', () => {
  it('restores projects and stopped instances with their ports', async () => {
    const lab = await createCrashedLab()
    const report = await lab.emulation.start()
    expect(report).toEqual({ projects: 1, instances: 3, temporaryProjects: 1, interrupted: 1, problems: [] })
    const found = (await lab.emulation.instances.list(projectId))._unsafeUnwrap()
    expect(found.map(({ name, state }) => [name, state])).toEqual([
      ['M1', 'stopped'],
      ['PC1', 'stopped'],
      ['SW1', 'started'],
    ])
    expect(found[0]?.settings).toMatchObject({ console: 2500, monitor: 2001 })
    expect(found[1]).toMatchObject({ text: 'kept', slot: 0, settings: { console: 2002 } })
    expect(await lab.emulation.start()).toBe(report)
  })

  it('keeps ports, slots and UDP ports taken', async () => {
    const { emulation, ports } = await createCrashedLab()
    await emulation.start()
    const next = (
      await emulation.instances.create({ projectId, kind: 'virtual-pc', name: 'PC2', settings: {} })
    )._unsafeUnwrap()
    expect([next.settings.console, next.slot]).toEqual([2000, 1])
    expect(await ports.claim('console', 2500)).toBe('taken')
    expect((await emulation.host.reserveUdpPort())._unsafeUnwrap()).toBe(10_002)
  })

  it.each([
    ['is connected again', (relay: LinkRelay) => relay],
    [
      'could not be connected',
      (relay: LinkRelay): LinkRelay => ({
        ...relay,
        connect: (nic, nio, options) =>
          nic.instanceId === pc.id ? Promise.reject(new Refusal('unavailable', 'x')) : relay.connect(nic, nio, options),
      }),
    ],
  ])('keeps the UDP port at which a NIC points for projects of its owner, where it %s', async (_name, relayOf) => {
    const before = await createCrashedLab()
    const switchPort = { adapter: 0, port: 1 }
    await before.emulation.connections.disconnect(ethernetSwitch, switchPort)
    const { emulation } = createLab({ relay: relayOf(before.relay) }, before.stores)
    const foreign = (await emulation.projects.create({ ownerId: 'grace' }))._unsafeUnwrap().id
    const hostile = { projectId: foreign, kind: 'virtual-pc', name: 'EVIL', settings: {} } as const
    const { id } = (await emulation.instances.create(hostile))._unsafeUnwrap()
    const take = (reference: Parameters<typeof emulation.connections.connect>[0], nic = { adapter: 0, port: 0 }) =>
      emulation.connections.connect(reference, nic, { nio: udp(10_001, 10_000) })
    const refused = await take({ projectId: foreign, kind: 'virtual-pc', id })
    expect(refused._unsafeUnwrapErr()).toMatchObject({ type: 'port-unavailable', port: 10_001, reason: 'taken' })
    expect((await emulation.host.reserveUdpPort(foreign))._unsafeUnwrap()).toBe(10_002)
    expect((await take(ethernetSwitch, switchPort)).isOk()).toBe(true)
    await emulation.connections.disconnect(ethernetSwitch, switchPort)
    await emulation.connections.disconnect(pc, { adapter: 0, port: 0 })
    expect((await take({ projectId: foreign, kind: 'virtual-pc', id })).isOk()).toBe(true)
  })

  it('passes to every emulator its instances with their recorded processes', async () => {
    const { emulation, emulators } = await createCrashedLab()
    await emulation.start()
    expect(emulators.machine.orphans).toEqual([
      {
        id: machine.id,
        projectId,
        directory: `/projects/${projectId}/project-files/machine/${machine.id}`,
        processes: [{ pid: 1000, startedAt: '1', program: 'machine' }],
      },
    ])
    expect(emulators['virtual-pc'].orphans.map(({ id }) => id)).toContain(pc.id)
    const again = (await emulation.instances.find(machine))._unsafeUnwrap()
    expect(again.processes).toEqual([])
  })

  it('connects NICs as before, and ends captures but keeps their files', async () => {
    const { emulation, relay } = await createCrashedLab()
    await emulation.start()
    expect(relay.cables.get(`${pc.id}/0/0`)).toMatchObject({ nio: udp(10_000, 10_001), up: false })
    expect(
      (await emulation.connections.find(pc, { adapter: 0, port: 0 }))._unsafeUnwrap().connection.capture,
    ).toBeUndefined()
    expect((await emulation.captures.list(projectId))._unsafeUnwrap()).toMatchObject([
      { name: 'a.pcap', active: false },
    ])
    const again = { fileName: 'b.pcap', dataLinkType: 'DLT_EN10MB' }
    expect((await emulation.captures.start(pc, { adapter: 0, port: 0 }, again)).isOk()).toBe(true)
  })

  it('deletes temporary projects and every directory with their marker', async () => {
    const { emulation, stores } = await createCrashedLab()
    const stray = { id: 'x' as ProjectId, path: '/projects/stray', temporary: true }
    await stores.files.openProject(stray)
    await emulation.start()
    expect((await emulation.projects.find(temporaryId))._unsafeUnwrapErr().type).toBe('project-not-found')
    expect(await stores.files.removeTemporary()).toBe(0)
    expect(await stores.repositories.instances.list({ projectId: temporaryId })).toEqual([])
  })

  it('keeps a permanent project on which a crash has left the marker', async () => {
    const { emulation, stores } = await createCrashedLab()
    await stores.files.openProject({ id: projectId, path: `/projects/${projectId}`, temporary: true })
    await emulation.start()
    expect((await emulation.instances.find(pc))._unsafeUnwrap().text).toBe('kept')
    expect(await stores.files.removeTemporary()).toBe(0)
  })

  it('continues when a directory cannot be deleted', async () => {
    const { stores } = await createCrashedLab()
    const busy = new Error('EBUSY')
    const lab = createLab({}, { ...stores, files: { ...stores.files, removeProject: () => Promise.reject(busy) } })
    expect(await lab.emulation.start()).toMatchObject({ projects: 1, temporaryProjects: 1 })
    expect((await lab.emulation.projects.list()).map(({ id }) => id)).toEqual([projectId])
    expect(lab.faults).toEqual([busy])
  })

  it('runs at the first operation when the host has not started it', async () => {
    const { emulation } = await createCrashedLab()
    expect((await emulation.projects.list()).map(({ id }) => id)).toEqual([projectId])
    const clash = await emulation.instances.create({
      projectId,
      kind: 'virtual-pc',
      name: 'x',
      settings: { console: 2500 },
    })
    expect(clash._unsafeUnwrapErr().type).toBe('port-unavailable')
  })

  it('reports connections that could not be restored, and keeps them', async () => {
    const { relay, stores } = await createCrashedLab()
    const { connect } = relay
    const lab = createLab(
      {
        relay: {
          ...relay,
          connect: (nic, nio, options) =>
            nic.instanceId === pc.id ? Promise.reject(new Refusal('unavailable', 'taken')) : connect(nic, nio, options),
        },
      },
      stores,
    )
    const { problems } = await lab.emulation.start()
    expect(problems).toEqual([
      { projectId, instance: 'PC1', message: 'Port 0 of adapter 0 could not be connected: taken' },
    ])
    expect((await lab.emulation.instances.find(pc))._unsafeUnwrap().connections).toHaveLength(1)
  })

  it('runs again after the store has failed', async () => {
    const lab = await createCrashedLab()
    const { list } = lab.stores.repositories.projects
    lab.stores.repositories.projects.list = () => Promise.reject(new Error('store down'))
    await expect(lab.emulation.start()).rejects.toMatchObject({
      name: 'StoreFailure',
      cause: { message: 'store down' },
    })
    lab.stores.repositories.projects.list = list
    expect((await lab.emulation.start()).projects).toBe(1)
  })
})
