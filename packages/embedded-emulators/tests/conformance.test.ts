import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InstanceId, Kind, ProjectId } from '@trivium/emulation-core'
import {
  consoleListenerConformance,
  emulatorConformance,
  linkRelayConformance,
} from '@trivium/emulation-core/conformance'
import type { SettingsOf } from '@trivium/emulation-core/ports'
import { ethernetSwitchEmulator, linkRelay, tcpConsoleListener, virtualPcEmulator } from '../src/index.ts'
import { takePort, testPorts } from './test-ports.ts'
import { testWiring } from './test-wiring.ts'

consoleListenerConformance(async () => ({
  listener: tcpConsoleListener(),
  port: await takePort(testPorts(), 'console'),
}))

linkRelayConformance(async () => {
  const ports = testPorts()
  const free: number[] = []
  while (free.length < 6) free.push(await takePort(ports, 'udp'))
  return { relay: linkRelay({ ports }), ports: free }
})

/** Creates an instance with one NIC that is not connected. */
const open = async <K extends Kind>(kind: K, settings: SettingsOf<K>) => {
  const directory = await mkdtemp(join(tmpdir(), 'conformance-'))
  const relay = linkRelay({ ports: testPorts() })
  // Any string is valid as an id here: it is not parsed.
  const ids = { id: 'one' as InstanceId, projectId: 'project' as ProjectId }
  return {
    instance: { ...ids, kind, name: 'one', settings, slot: 0, directory },
    wiring: testWiring(relay, 'one', [{ adapter: 0, port: 0 }], { connected: false, linkUp: false }),
    async close() {
      await relay.close()
      await rm(directory, { recursive: true })
    },
  }
}

emulatorConformance(async () => ({
  emulator: virtualPcEmulator(),
  ...(await open('virtual-pc', { console: 2000 })),
}))

emulatorConformance(async () => ({
  emulator: ethernetSwitchEmulator(),
  ...(await open('ethernet-switch', { ports: [{ port: 1, type: 'access', vlan: 10 }] })),
}))
