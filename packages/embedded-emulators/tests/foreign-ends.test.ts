import { createEmulation, type Emulation, type InstanceReference, type ProjectId } from '@trivium/emulation-core'
import type { LinkRelay, PortAllocator } from '@trivium/emulation-core/ports'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { linkRelay, tcpConsoleListener } from '../src/index.ts'
import { testPorts } from './test-ports.ts'

const first = { adapter: 0, port: 0 }
const frame = (text: string) => Buffer.from(text.padEnd(60, '.'))

let relay: LinkRelay
let ports: PortAllocator
let emulation: Emulation

beforeEach(() => {
  ports = testPorts()
  relay = linkRelay({ ports })
  emulation = createEmulation({ emulators: {}, relay, ports, consoles: tcpConsoleListener() })
})
afterEach(() => emulation.close())

const projectOf = async (ownerId: string): Promise<ProjectId> =>
  (await emulation.projects.create({ ownerId }))._unsafeUnwrap().id

const addPc = async (projectId: ProjectId, name: string) => {
  const made = await emulation.instances.create({ projectId, kind: 'virtual-pc', name, settings: {} })
  const { id } = made._unsafeUnwrap()
  const reference: InstanceReference = { projectId, kind: 'virtual-pc', id }
  const frames: string[] = []
  let arrived = () => {}
  const plug = relay.plug({ instanceId: id, ...first }, (bytes) => {
    frames.push(Buffer.from(bytes).toString().replace(/\.+$/, ''))
    arrived()
  })
  const next = async () => {
    while (frames.length === 0) await new Promise<void>((resolve) => (arrived = resolve))
    return frames.shift()
  }
  return { reference, frames, next, send: (text: string) => plug.send(frame(text)) }
}

const cable = ({ reference }: { readonly reference: InstanceReference }, localPort: number, remotePort: number) =>
  emulation.connections.connect(reference, first, {
    nio: { type: 'udp', localPort, remoteHost: '127.0.0.1', remotePort },
  })

describe('a link of which one end was deleted', () => {
  it('gives its frames to no project of another owner, and takes none of theirs', async () => {
    const [ada, grace] = [await projectOf('ada'), await projectOf('grace')]
    const [one, other, hostile] = [await addPc(ada, 'PC1'), await addPc(ada, 'PC2'), await addPc(grace, 'EVIL')]
    const [left, right] = [
      (await emulation.host.reserveUdpPort(ada))._unsafeUnwrap(),
      (await emulation.host.reserveUdpPort(ada))._unsafeUnwrap(),
    ]
    expect((await cable(one, left, right)).isOk()).toBe(true)
    expect((await cable(other, right, left)).isOk()).toBe(true)
    expect((await emulation.instances.remove(other.reference)).isOk()).toBe(true)

    const taken = await cable(hostile, right, left)
    const free = (await emulation.host.reserveUdpPort(grace))._unsafeUnwrap()
    expect((await cable(hostile, free, left)).isOk()).toBe(true)
    one.send('secret')
    hostile.send('forged')

    const again = await addPc(ada, 'PC3')
    expect((await cable(again, right, left)).isOk()).toBe(true)
    one.send('to PC3')
    expect(await again.next()).toBe('to PC3')
    again.send('to PC1')
    expect(await one.next()).toBe('to PC1')
    expect(hostile.frames).toEqual([])
    expect(taken._unsafeUnwrapErr()).toMatchObject({ type: 'port-unavailable', use: 'udp', port: right })
  })
})
