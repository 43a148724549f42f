import { describe, expect, it } from 'vitest'
import { createLab } from '../../tests/lab.ts'
import type { InstanceId } from '../instances/instance.ts'
import type { Kind } from '../kinds/kind.ts'
import { createPortAllocator } from '../ports/create-port-allocator.ts'
import type { ProjectId } from '../projects/project.ts'
import { noImpairment, noImpairments } from './impairments.ts'
import type { Nio } from './nio.ts'

const projectId = '11111111-1111-4111-8111-111111111111' as ProjectId
const reference = <K extends Kind>(kind: K, number: number) =>
  ({ projectId, kind, id: `22222222-2222-4222-8222-00000000000${number}` as InstanceId }) as const
const pc = reference('virtual-pc', 1)
const otherPc = reference('virtual-pc', 2)
const machine = reference('machine', 3)
const router = reference('router', 4)
const ethernetSwitch = reference('ethernet-switch', 5)
const first = { adapter: 0, port: 0 }

const udp = (localPort: number, remotePort: number, remoteHost = '127.0.0.1'): Nio => ({
  type: 'udp',
  localPort,
  remotePort,
  remoteHost,
})

async function openLab(options: Parameters<typeof createLab>[0] = {}) {
  const lab = createLab(options)
  const { projects, instances } = lab.emulation
  await projects.create({ id: projectId })
  await instances.create({ ...pc, name: 'PC1', settings: {} })
  await instances.create({ ...otherPc, name: 'PC2', settings: {} })
  await instances.create({ ...machine, name: 'M1', settings: { program: 'q', adapters: 2 } })
  await instances.create({ ...router, name: 'R1', settings: { image: '/images/r' } })
  await instances.create({ ...ethernetSwitch, name: 'SW1', settings: {} })
  lab.emitted.length = 0
  return lab
}

describe('Connections', () => {
  it('connects two virtual PCs', async () => {
    const { emulation, relay, emitted } = await openLab()
    const { connections, lifecycle, links } = emulation
    await connections.connect(pc, first, { nio: udp(10_000, 10_001) })
    await connections.connect(otherPc, first, { nio: udp(10_001, 10_000) })
    await lifecycle.start(pc)
    await lifecycle.start(otherPc)
    let receivedFrames = 0
    relay.devices.set(`${otherPc.id}/0/0`, () => {
      receivedFrames += 1
    })
    relay.plug({ instanceId: pc.id, ...first }, () => {}).send(new Uint8Array(60))
    expect(receivedFrames).toBe(1)
    const [link, ...more] = (await links.list(projectId))._unsafeUnwrap()
    expect(more).toEqual([])
    expect(link?.ends.map(({ instance }) => instance.name)).toEqual(['PC1', 'PC2'])
    expect(link?.ends[0]?.counters.outgoing.frames).toBe(1)
    expect(emitted.slice(0, 2)).toEqual(['link.changed', 'link.changed'])
  })

  it('lists a link with one end when the other is outside the server or points elsewhere', async () => {
    const { connections, links } = (await openLab()).emulation
    await connections.connect(pc, first, { nio: udp(10_000, 10_001, 'peer.example') })
    await connections.connect(otherPc, first, { nio: udp(10_001, 10_000) })
    const found = (await links.list(projectId))._unsafeUnwrap()
    expect(found.map(({ ends }) => ends.length)).toEqual([1, 1])
    expect((await links.list('9' as ProjectId))._unsafeUnwrapErr().type).toBe('project-not-found')
  })

  it('refuses NICs that do not exist', async () => {
    const { connections } = (await openLab()).emulation
    const nio = udp(10_000, 10_001)
    const type = async (...parameters: Parameters<typeof connections.connect>) =>
      (await connections.connect(...parameters))._unsafeUnwrapErr().type
    expect(await type(pc, { adapter: 1, port: 0 }, { nio })).toBe('adapter-not-found')
    expect(await type(pc, { adapter: 0, port: 1 }, { nio })).toBe('port-not-found')
    expect(await type(machine, { adapter: 2, port: 0 }, { nio })).toBe('adapter-not-found')
    expect(await type(router, { adapter: 4, port: 0 }, { nio })).toBe('adapter-not-found')
    expect(await type(router, { adapter: 3, port: 4 }, { nio })).toBe('port-not-found')
    for (const port of [0, 65_536])
      expect(await type(ethernetSwitch, { adapter: 0, port }, { nio })).toBe('port-not-found')
    expect((await connections.connect(router, { adapter: 3, port: 3 }, { nio })).isOk()).toBe(true)
  })

  it.each([
    [machine, { type: 'tap', device: 'tap0' }],
    [pc, { type: 'generic-ethernet', device: 'eth0' }],
    [router, { type: 'null' }],
  ] as const)('refuses a type of NIO that %j does not support', async (instance, nio) => {
    const { connections } = (await openLab()).emulation
    const refused = await connections.connect(instance, first, { nio })
    expect(refused._unsafeUnwrapErr()).toEqual({ type: 'nio-unsupported', kind: instance.kind, nioType: nio.type })
  })

  it('frees everything when the relay refuses', async () => {
    const { emulation, relay, ports } = await openLab()
    const { connections } = emulation
    const unknown = await connections.connect(pc, first, { nio: udp(10_000, 10_001, 'nowhere.invalid') })
    expect(unknown._unsafeUnwrapErr()).toMatchObject({ type: 'refused', reason: 'unavailable' })
    const tap = await connections.connect(pc, first, { nio: { type: 'tap', device: 'tap0' } })
    expect(tap._unsafeUnwrapErr()).toMatchObject({ type: 'refused', reason: 'unsupported' })
    expect(relay.cables.size).toBe(0)
    for (const freed of [10_000, 10_001]) expect(await ports.claim('udp', freed)).toBe('claimed')
    expect((await connections.find(pc, first))._unsafeUnwrapErr().type).toBe('nic-not-connected')
  })

  it('keeps the previous connection when the new one is refused', async () => {
    const { emulation, relay } = await openLab()
    await emulation.connections.connect(pc, first, { nio: udp(10_000, 10_001) })
    const refused = await emulation.connections.connect(pc, first, { nio: udp(10_000, 10_005, 'nowhere.invalid') })
    expect(refused.isErr()).toBe(true)
    const { connection } = (await emulation.connections.find(pc, first))._unsafeUnwrap()
    expect(connection.nio).toEqual(udp(10_000, 10_001))
    expect([...relay.cables.values()].map(({ nio }) => nio)).toEqual([udp(10_000, 10_001)])
    expect(
      (await emulation.connections.connect(otherPc, first, { nio: udp(10_000, 1) }))._unsafeUnwrapErr(),
    ).toMatchObject({ type: 'port-unavailable', use: 'udp', port: 10_000, reason: 'taken' })
  })

  it('replaces the NIO of a running instance and frees the old ports', async () => {
    const { emulation, emulators, ports } = await openLab()
    await emulation.lifecycle.start(machine)
    const { nics } = emulators.machine.runs[0] ?? {}
    expect(nics?.get('0/0')).toEqual({ connected: false, linkUp: false })
    await emulation.connections.connect(machine, first, { nio: udp(10_000, 10_001) })
    expect(nics?.get('0/0')).toEqual({ connected: true, linkUp: true })
    await emulation.connections.connect(machine, first, { nio: udp(10_002, 10_003) })
    for (const freed of [10_000, 10_001]) expect(await ports.claim('udp', freed)).toBe('claimed')
    await emulation.connections.disconnect(machine, first)
    expect(nics?.get('0/0')).toEqual({ connected: false, linkUp: false })
    for (const freed of [10_002, 10_003]) expect(await ports.claim('udp', freed)).toBe('claimed')
    expect((await emulation.connections.disconnect(machine, first)).isOk()).toBe(true)
  })

  it('connects a NIC that a running instance only gets at its next start', async () => {
    const { emulation, emulators } = await openLab()
    const third = { adapter: 2, port: 0 }
    await emulation.lifecycle.start(machine)
    const run = emulators.machine.runs[0]
    await emulation.instances.update(machine, { settings: { adapters: 3 } })
    expect((await emulation.connections.connect(machine, third, { nio: udp(10_000, 10_001) })).isOk()).toBe(true)
    expect((await emulation.connections.change(machine, third, { linkUp: false })).isOk()).toBe(true)
    expect((await emulation.connections.disconnect(machine, third)).isOk()).toBe(true)
    expect([...(run?.nics.keys() ?? [])]).toEqual(['0/0', '1/0'])
  })

  it('completes a stored change when the instance cannot be notified', async () => {
    const { emulation, emulators, relay, ports, emitted } = await openLab()
    await emulation.lifecycle.start(machine)
    await emulation.connections.connect(machine, first, { nio: udp(10_000, 10_001) })
    emulators.machine.runs[0]?.refuseNics()
    emitted.length = 0
    expect((await emulation.connections.change(machine, first, { linkUp: false })).isOk()).toBe(true)
    expect(relay.cables.get(`${machine.id}/0/0`)?.up).toBe(false)
    expect((await emulation.connections.disconnect(machine, first)).isOk()).toBe(true)
    expect(relay.cables.size).toBe(0)
    expect(await ports.claim('udp', 10_000)).toBe('claimed')
    expect(emitted).toEqual(['log', 'link.changed', 'log', 'link.changed'])
  })

  it('changes impairments and the link state of a connection', async () => {
    const { emulation, emulators, relay } = await openLab()
    await emulation.lifecycle.start(pc)
    await emulation.connections.connect(pc, first, { nio: udp(10_000, 10_001) })
    const worse = { outgoing: { ...noImpairment, lossPercent: 10 }, incoming: noImpairment }
    await emulation.connections.change(pc, first, { impairments: worse })
    const down = (await emulation.connections.change(pc, first, { linkUp: false }))._unsafeUnwrap()
    expect(down).toMatchObject({ impairments: worse, linkUp: false })
    const cable = relay.cables.get(`${pc.id}/0/0`)
    expect([cable?.impairments, cable?.up]).toEqual([worse, false])
    expect(emulators['virtual-pc'].runs[0]?.nics.get('0/0')).toEqual({ connected: true, linkUp: false })
    const again = await emulation.connections.connect(pc, first, { nio: udp(10_000, 10_001) })
    expect(again._unsafeUnwrap()).toMatchObject({ impairments: noImpairments, linkUp: true })
  })

  it('frees a reserved UDP port that no NIC has taken in time', async () => {
    const { emulation, clock } = await openLab({ limits: { udpReservationSeconds: 60 } })
    const { host, connections } = emulation
    expect((await host.reserveUdpPort())._unsafeUnwrap()).toBe(10_000)
    expect((await host.reserveUdpPort())._unsafeUnwrap()).toBe(10_001)
    expect((await connections.connect(pc, first, { nio: udp(10_001, 9) })).isOk()).toBe(true)
    clock.time = new Date(clock.time.getTime() + 61_000)
    expect((await host.reserveUdpPort())._unsafeUnwrap()).toBe(10_000)
    expect((await host.reserveUdpPort())._unsafeUnwrap()).toBe(10_002)
  })

  it('keeps a UDP port reserved when a connection is refused', async () => {
    const { emulation, clock } = await openLab({ limits: { udpReservationSeconds: 60 } })
    const { host, connections } = emulation
    await host.reserveUdpPort()
    expect((await connections.connect(pc, first, { nio: udp(10_000, 9, 'nowhere.invalid') })).isErr()).toBe(true)
    expect((await host.reserveUdpPort())._unsafeUnwrap()).toBe(10_001)
    expect((await connections.connect(pc, first, { nio: udp(10_000, 9) })).isOk()).toBe(true)
    await connections.disconnect(pc, first)
    expect((await host.reserveUdpPort())._unsafeUnwrap()).toBe(10_000)
    expect((await connections.connect(pc, first, { nio: udp(10_000, 9, 'nowhere.invalid') })).isErr()).toBe(true)
    clock.time = new Date(clock.time.getTime() + 61_000)
    expect((await host.reserveUdpPort())._unsafeUnwrap()).toBe(10_000)
  })

  it('reports that no UDP port is free', async () => {
    const ports = createPortAllocator({ isFree: async () => true, udpPorts: { first: 10_000, last: 10_000 } })
    const { host } = createLab({ ports }).emulation
    expect((await host.reserveUdpPort()).isOk()).toBe(true)
    expect((await host.reserveUdpPort())._unsafeUnwrapErr()).toEqual({
      type: 'ports-exhausted',
      use: 'udp',
      first: 10_000,
      last: 10_000,
    })
  })

  it('limits the connections of an instance', async () => {
    const { connections } = (await openLab({ limits: { connectionsOfAnInstance: 1 } })).emulation
    const port = (number: number) => ({ adapter: 0, port: number })
    expect((await connections.connect(ethernetSwitch, port(1), { nio: { type: 'null' } })).isOk()).toBe(true)
    const refused = await connections.connect(ethernetSwitch, port(2), { nio: { type: 'null' } })
    expect(refused._unsafeUnwrapErr()).toMatchObject({ type: 'limit-reached', what: 'connections' })
  })
})

describe('Connections of a switch', () => {
  it('sets a port when it is connected, and removes its settings when it is disconnected', async () => {
    const { emulation, emulators } = await openLab()
    const { connections, instances } = emulation
    const settings = { type: 'access', vlan: 10 } as const
    await connections.connectSwitchPort(ethernetSwitch, 1, { nio: udp(10_000, 10_001), settings })
    await connections.connectSwitchPort(ethernetSwitch, 2, { nio: udp(10_002, 10_003) })
    const made = (await instances.find(ethernetSwitch))._unsafeUnwrap()
    expect(made.settings.ports).toEqual([{ port: 1, type: 'access', vlan: 10 }])
    const run = emulators['ethernet-switch'].runs[0]
    expect([...(run?.nics.keys() ?? [])]).toEqual(['0/1', '0/2'])
    expect(run?.calls).toEqual(['update SW1'])
    const twice = await connections.connectSwitchPort(ethernetSwitch, 1, { nio: udp(10_004, 10_005) })
    expect(twice._unsafeUnwrapErr()).toMatchObject({ type: 'nic-connected', nic: { adapter: 0, port: 1 } })
    await connections.disconnect(ethernetSwitch, { adapter: 0, port: 1 })
    expect((await instances.find(ethernetSwitch))._unsafeUnwrap().settings.ports).toEqual([])
    expect(run?.nics.get('0/1')).toEqual({ connected: false, linkUp: false })
  })

  it('accepts settings of a port before it is connected', async () => {
    const { instances } = (await openLab()).emulation
    const ports = [{ port: 7, type: 'dot1q', vlan: 1 }] as const
    const updated = await instances.update(ethernetSwitch, { settings: { ports } })
    expect(updated._unsafeUnwrap().settings.ports).toEqual(ports)
    expect((await instances.macTable(ethernetSwitch))._unsafeUnwrap()).toHaveLength(1)
    expect((await instances.clearMacTable(ethernetSwitch)).isOk()).toBe(true)
  })
})
