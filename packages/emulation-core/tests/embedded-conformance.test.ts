import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ethernetSwitchEmulator,
  linkRelay,
  openDirectoryProjectFiles,
  portProbe,
  tcpConsoleListener,
  virtualPcEmulator,
} from '@trivium/embedded-emulators'
import { afterAll } from 'vitest'
import {
  consoleListenerConformance,
  emulatorConformance,
  linkRelayConformance,
  portAllocatorConformance,
  projectFilesConformance,
} from '../src/conformance/index.ts'
import { createPortAllocator, type InstanceId, type Kind, type ProjectId } from '../src/index.ts'
import { createInstanceWiring } from '../src/links/instance-wiring.ts'
import type { SettingsOf } from '../src/ports.ts'

const directories: string[] = []
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})
const makeDirectory = () => {
  const directory = mkdtempSync(join(tmpdir(), 'trivium-conformance-'))
  directories.push(directory)
  return directory
}

let first = 30_000
const allocator = () => {
  first += 20
  return createPortAllocator({
    isFree: portProbe(),
    consolePorts: { first, last: first + 9 },
    udpPorts: { first: first + 10, last: first + 19 },
  })
}

portAllocatorConformance(allocator)

projectFilesConformance(() => openDirectoryProjectFiles({ location: makeDirectory() }))

consoleListenerConformance(async () => ({
  listener: tcpConsoleListener(),
  port: (await allocator().allocate('console')) ?? 0,
}))

linkRelayConformance(async () => {
  const ports = allocator()
  const free: number[] = []
  while (free.length < 6) free.push((await ports.allocate('udp')) ?? 0)
  return { relay: linkRelay({ ports }), ports: free }
})

/** Creates an instance with one NIC without a connection. */
function instanceOf<K extends Kind>(kind: K, settings: SettingsOf<K>) {
  const relay = linkRelay({ ports: allocator() })
  const instance = {
    id: '22222222-2222-4222-8222-222222222222' as InstanceId,
    projectId: '11111111-1111-4111-8111-111111111111' as ProjectId,
    kind,
    name: 'one',
    settings,
    slot: 0,
    directory: makeDirectory(),
  }
  const nics = [{ adapter: 0, port: 0 }]
  const wiring = createInstanceWiring({ relay, instanceId: instance.id, nics, connections: [] })
  return { instance, wiring, close: () => relay.close() }
}

emulatorConformance(() => ({
  emulator: virtualPcEmulator(),
  ...instanceOf('virtual-pc', { console: 2000 }),
}))

emulatorConformance(() => ({
  emulator: ethernetSwitchEmulator(),
  ...instanceOf('ethernet-switch', { ports: [{ port: 1, type: 'access', vlan: 10 }] }),
}))
