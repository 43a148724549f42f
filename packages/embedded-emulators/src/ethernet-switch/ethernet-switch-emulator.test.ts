import type { InstanceId, ProjectId } from '@trivium/emulation-core'
import type { EmulatedInstance, EthernetSwitchSettings, LinkRelay, PortAllocator } from '@trivium/emulation-core/ports'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nicOf } from '../../tests/test-nic.ts'
import { takePort, testPorts } from '../../tests/test-ports.ts'
import { testWiring } from '../../tests/test-wiring.ts'
import { writeEthernet } from '../frames/ethernet.ts'
import { linkRelay } from '../link-relay/link-relay.ts'
import { ethernetSwitchEmulator } from './ethernet-switch-emulator.ts'

const settingsOf = (...vlans: readonly number[]): EthernetSwitchSettings => ({
  ports: vlans.map((vlan, index) => ({ port: index + 1, type: 'access', vlan })),
})

const instanceOf = (settings: EthernetSwitchSettings): EmulatedInstance<'ethernet-switch'> => ({
  // Any string is valid as an id here: it is not parsed.
  id: 'switch' as InstanceId,
  projectId: 'project' as ProjectId,
  kind: 'ethernet-switch',
  name: 'SW',
  settings,
  directory: '/nowhere',
})

const frameOf = (source: number) =>
  writeEthernet({ destination: 0xffffffffffff, source, etherType: 0x0800, payload: new Uint8Array(2) })

let relay: LinkRelay
let ports: PortAllocator

beforeEach(() => {
  ports = testPorts()
  relay = linkRelay({ ports })
})

afterEach(() => relay.close())

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Connects a host to each of the ports. Returns which hosts receive a broadcast of another. */
async function createLab(settings: EthernetSwitchSettings, cabled: readonly number[]) {
  const wiring = testWiring(
    relay,
    'switch',
    cabled.map((port) => ({ adapter: 0, port })),
  )
  const running = await ethernetSwitchEmulator().start(instanceOf(settings), wiring, { recorded: async () => {} })
  let receivers: number[] = []
  const hosts = new Map<number, (frame: Uint8Array) => void>()
  const cable = async (port: number) => {
    const [near, far] = [await takePort(ports, 'udp'), await takePort(ports, 'udp')]
    await relay.connect(wiring.nic({ adapter: 0, port }), {
      type: 'udp',
      localPort: near,
      remoteHost: '127.0.0.1',
      remotePort: far,
    })
    await relay.connect(nicOf(`host${port}`), {
      type: 'udp',
      localPort: far,
      remoteHost: '127.0.0.1',
      remotePort: near,
    })
    hosts.set(port, relay.plug(nicOf(`host${port}`), () => receivers.push(port)).send)
  }
  for (const port of cabled) await cable(port)
  return {
    running,
    cable,
    wiring,
    receiversOf: async (port: number) => {
      receivers = []
      hosts.get(port)?.(frameOf(0x020000000000 + port))
      await turn()
      return receivers.sort()
    },
  }
}

describe('ethernetSwitchEmulator', () => {
  it('puts ports without settings into VLAN 1', async () => {
    const lab = await createLab({ ports: [{ port: 3, type: 'access', vlan: 20 }] }, [1, 2, 3])
    expect(await lab.receiversOf(1)).toEqual([2])
    expect(await lab.receiversOf(3)).toEqual([])
  })

  it('applies new settings of ports while it runs', async () => {
    const lab = await createLab(settingsOf(10, 10, 20), [1, 2, 3])
    expect(await lab.receiversOf(1)).toEqual([2])
    await lab.running.update?.({ name: 'SW', settings: settingsOf(10, 20, 10) })
    expect(await lab.receiversOf(1)).toEqual([3])
    await lab.running.update?.({ name: 'SW', settings: { ports: [] } })
    expect(await lab.receiversOf(1)).toEqual([2, 3])
  })

  it('sends every frame of a hub to every other port, and learns no address', async () => {
    const lab = await createLab({ deviceType: 'hub', ports: [] }, [1, 2, 3])
    expect(await lab.receiversOf(1)).toEqual([2, 3])
    await lab.running.nicChanged?.({ adapter: 0, port: 3 }, { connected: false, linkUp: false })
    expect(await lab.receiversOf(2)).toEqual([1])
    expect(await lab.running.macTable?.()).toEqual([])
  })

  it('has a port for every NIC while the NIC is cabled', async () => {
    const lab = await createLab(settingsOf(10, 10), [1])
    await lab.running.nicChanged?.({ adapter: 0, port: 2 }, { connected: true, linkUp: true })
    await lab.running.nicChanged?.({ adapter: 0, port: 2 }, { connected: true, linkUp: false })
    await lab.cable(2)
    expect(await lab.receiversOf(1)).toEqual([2])
    await lab.running.nicChanged?.({ adapter: 0, port: 2 }, { connected: false, linkUp: false })
    expect(await lab.receiversOf(1)).toEqual([])
    expect(await lab.running.macTable?.()).toEqual([{ mac: '02:00:00:00:00:01', vlan: 10, port: 1 }])
  })

  it('lists its MAC table in order, and clears it on request and on reload', async () => {
    const lab = await createLab(settingsOf(20, 10, 10), [1, 2, 3])
    for (const port of [1, 3, 2]) await lab.receiversOf(port)
    expect(await lab.running.macTable?.()).toEqual([
      { mac: '02:00:00:00:00:02', vlan: 10, port: 2 },
      { mac: '02:00:00:00:00:03', vlan: 10, port: 3 },
      { mac: '02:00:00:00:00:01', vlan: 20, port: 1 },
    ])
    lab.running.clearMacTable?.()
    expect(await lab.running.macTable?.()).toEqual([])
    await lab.receiversOf(1)
    await lab.running.reload?.()
    expect(await lab.running.macTable?.()).toEqual([])
  })

  it('forwards nothing once it has stopped', async () => {
    const lab = await createLab(settingsOf(10, 10), [1, 2])
    await lab.running.stop()
    await lab.running.stop()
    expect(await lab.running.exited).toEqual({ exitCode: 0, log: '' })
    expect(await lab.receiversOf(1)).toEqual([])
    expect(lab.running.processes).toEqual([])
  })
})
