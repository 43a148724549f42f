import { describe, expect, it } from 'vitest'
import type { InstanceId } from '../instances/instance.ts'
import { createPortAllocator } from '../ports/create-port-allocator.ts'
import type { ProjectId } from '../projects/project.ts'
import type { Nic } from './nic.ts'
import { createUdpPorts, type PortProject } from './udp-ports.ts'

const project = (id: string, ownerId?: string): PortProject => ({
  id: id as ProjectId,
  ...(ownerId !== undefined && { ownerId }),
})
const [ada, adaToo, grace] = [project('a', 'ada'), project('b', 'ada'), project('c', 'grace')]
const [admin, adminToo] = [project('d'), project('e')]

const nic = (name: string): Nic => ({ instanceId: name as InstanceId, adapter: 0, port: 0 })
const [one, other, third] = [nic('1'), nic('2'), nic('3')]

function createPorts() {
  const busy = new Set<number>()
  const allocator = createPortAllocator({ isFree: async (_use, port) => !busy.has(port) })
  let time = 0
  const udpPorts = createUdpPorts({ ports: allocator, now: () => new Date(time), reservationSeconds: 1 })
  const pass = (milliseconds: number) => {
    time += milliseconds
  }
  return { udpPorts, allocator, busy, pass }
}

describe('UdpPorts', () => {
  it.each([
    ['a user', ada, [adaToo], [grace, admin]],
    ['no one', admin, [adminToo], [ada, grace]],
  ] as const)('keep a port at which a NIC of a project of %s points for the projects of that owner', async (...row) => {
    const [, owner, admitted, refused] = row
    const { udpPorts } = createPorts()
    await udpPorts.pointAt(10_000, one, owner)
    for (const foreign of refused) expect(await udpPorts.attach(10_000, other, foreign)).toBe('taken')
    for (const own of [owner, ...admitted]) {
      expect(await udpPorts.attach(10_000, other, own)).toBe('attached')
      udpPorts.detach(10_000, other)
    }
    expect(await udpPorts.reserve()).toBe(10_001)
    udpPorts.keepTargets(one, [])
    for (const foreign of refused) {
      expect(await udpPorts.attach(10_000, other, foreign)).toBe('attached')
      udpPorts.detach(10_000, other)
    }
    expect(await udpPorts.reserve()).toBe(10_000)
  })

  it('keep a port until the last NIC that points at it does not', async () => {
    const { udpPorts, allocator } = createPorts()
    await udpPorts.pointAt(10_000, one, ada)
    await udpPorts.pointAt(10_000, other, adaToo)
    udpPorts.keepTargets(one, [])
    expect(await udpPorts.attach(10_000, third, grace)).toBe('taken')
    await udpPorts.pointAt(10_001, other, adaToo)
    expect(udpPorts.targetsOf(other)).toEqual([10_000, 10_001])
    udpPorts.keepTargets(other, [10_001])
    expect([await allocator.claim('udp', 10_000), await allocator.claim('udp', 10_001)]).toEqual(['claimed', 'taken'])
  })

  it('keep a reserved port after its reservation has expired', async () => {
    const { udpPorts, pass } = createPorts()
    expect(await udpPorts.reserve(ada)).toBe(10_000)
    await udpPorts.pointAt(10_000, one, ada)
    pass(1001)
    expect(await udpPorts.reserve(grace)).toBe(10_001)
    expect(await udpPorts.attach(10_000, other, grace)).toBe('taken')
    expect(await udpPorts.attach(10_000, other, adaToo)).toBe('attached')
  })

  it('leave a port to the owner that used it first, regardless of who points at it', async () => {
    const { udpPorts, pass } = createPorts()
    await udpPorts.reserve(ada)
    await udpPorts.pointAt(10_000, one, grace)
    await udpPorts.pointAt(10_000, other, ada)
    expect(await udpPorts.attach(10_000, third, ada)).toBe('attached')
    udpPorts.detach(10_000, third)
    pass(1001)
    expect(await udpPorts.attach(10_000, third, grace)).toBe('taken')
    expect(await udpPorts.attach(10_000, third, ada)).toBe('attached')
    udpPorts.giveBack(10_000, third)
    udpPorts.keepTargets(other, [])
    expect(await udpPorts.attach(10_000, third, ada)).toBe('taken')
    expect(await udpPorts.attach(10_000, third, grace)).toBe('attached')
  })

  it('leave a reserved port to its owner when a connection failed', async () => {
    const { udpPorts } = createPorts()
    await udpPorts.reserve(ada)
    await udpPorts.pointAt(10_000, one, grace)
    expect(await udpPorts.attach(10_000, other, ada)).toBe('attached')
    udpPorts.giveBack(10_000, other)
    await udpPorts.pointAt(10_000, other, ada)
    expect(await udpPorts.attach(10_000, other, ada)).toBe('attached')
    udpPorts.detach(10_000, other)
    expect(await udpPorts.attach(10_000, third, grace)).toBe('taken')
  })

  it('give out no port that was taken elsewhere when a NIC was pointed at it, and free only what they took', async () => {
    const { udpPorts, allocator } = createPorts()
    await allocator.claim('udp', 10_000)
    await udpPorts.pointAt(10_000, one, ada)
    udpPorts.keepTargets(one, [])
    expect(await allocator.claim('udp', 10_000)).toBe('taken')
    await udpPorts.pointAt(10_000, one, ada)
    allocator.release('udp', 10_000)
    expect(await udpPorts.reserve(grace)).toBe(10_001)
    udpPorts.keepTargets(one, [])
    expect(await udpPorts.reserve(grace)).toBe(10_000)
  })

  it('check that no other program uses a port that was kept', async () => {
    const { udpPorts, busy } = createPorts()
    await udpPorts.pointAt(10_000, one, ada)
    busy.add(10_000)
    expect(await udpPorts.attach(10_000, other, ada)).toBe('in-use')
    busy.clear()
    expect(await udpPorts.attach(10_000, other, grace)).toBe('taken')
    expect(await udpPorts.attach(10_000, other, ada)).toBe('attached')
  })

  it('attach one end of a link while the other is pointed at it', async () => {
    const { udpPorts } = createPorts()
    const pointed = udpPorts.pointAt(10_000, one, ada)
    expect(await udpPorts.attach(10_000, other, ada)).toBe('attached')
    await pointed
    const late = udpPorts.attach(10_001, one, ada)
    await udpPorts.pointAt(10_001, other, ada)
    expect(await late).toBe('attached')
    udpPorts.detach(10_001, one)
    expect(await udpPorts.attach(10_001, third, grace)).toBe('taken')
  })

  it('attach only one of two NICs to a port that was kept', async () => {
    const { udpPorts } = createPorts()
    await udpPorts.pointAt(10_000, one, ada)
    const attached = [udpPorts.attach(10_000, other, ada), udpPorts.attach(10_000, third, ada)]
    expect(await Promise.all(attached)).toEqual(['attached', 'taken'])
  })

  it('leave a port after a restart to the owner whose NIC has it', async () => {
    const { udpPorts } = createPorts()
    udpPorts.restore(10_000, one, ada)
    udpPorts.restoreTarget(10_000, third, grace)
    udpPorts.restoreTarget(10_000, other, ada)
    udpPorts.detach(10_000, one)
    expect(await udpPorts.attach(10_000, third, grace)).toBe('taken')
    expect(await udpPorts.attach(10_000, one, ada)).toBe('attached')
  })

  it('keep a port after a restart from all owners whose NICs point at it, until one is left', async () => {
    const { udpPorts } = createPorts()
    udpPorts.restoreTarget(10_000, one, grace)
    udpPorts.restoreTarget(10_000, other, ada)
    for (const owner of [ada, grace]) expect(await udpPorts.attach(10_000, third, owner)).toBe('taken')
    expect(await udpPorts.reserve(ada)).toBe(10_001)
    udpPorts.keepTargets(one, [])
    expect(await udpPorts.attach(10_000, third, ada)).toBe('attached')
    udpPorts.detach(10_000, third)
    udpPorts.keepTargets(other, [])
    expect(await udpPorts.reserve(grace)).toBe(10_000)
  })
})
