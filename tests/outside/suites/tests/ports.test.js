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
import { datagramConformance } from '@trivium/embedded-emulators/conformance'
import { createPortAllocator } from '@trivium/emulation-core'
import {
  consoleListenerConformance,
  drawingRepositoryConformance,
  emulatorConformance,
  instanceRepositoryConformance,
  linkRelayConformance,
  portAllocatorConformance,
  projectFilesConformance,
  projectRepositoryConformance,
} from '@trivium/emulation-core/conformance'
import { memoryDrawings, memoryInstances, memoryProjectFiles, memoryProjects } from '@trivium/emulation-core/memory'
import {
  apiKeyRepositoryConformance,
  budgetRepositoryConformance,
  imageStoreConformance,
  keyInvalidationsConformance,
  rateLimiterConformance,
  usageRepositoryConformance,
} from '@trivium/gateway-core/conformance'
import {
  memoryApiKeys,
  memoryBudgets,
  memoryImages,
  memoryKeyInvalidations,
  memoryRateLimiter,
  memoryUsage,
} from '@trivium/gateway-core/memory'
import { simulatedVolume } from '@trivium/simulated-volumes'
import { storageRepositoriesConformance, volumeBackendConformance } from '@trivium/storage-core/conformance'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { isVolumeRefusal } from '@trivium/storage-core/ports'
import { afterAll } from 'vitest'

// The ports of the three services without a database, by the adapters that are published.

const directory = mkdtempSync(join(tmpdir(), 'trivium-ports-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const makeDirectory = () => mkdtempSync(join(directory, 'one-'))

/** All replicas of one store in memory are the store itself. */
const inMemory = (create) => (replicas) => Array(replicas).fill(create())

apiKeyRepositoryConformance(inMemory(memoryApiKeys))
budgetRepositoryConformance(inMemory(memoryBudgets))
imageStoreConformance(inMemory(memoryImages))
keyInvalidationsConformance(inMemory(memoryKeyInvalidations))
rateLimiterConformance(inMemory(memoryRateLimiter))
usageRepositoryConformance(inMemory(memoryUsage))
projectRepositoryConformance(memoryProjects)
instanceRepositoryConformance(memoryInstances)
drawingRepositoryConformance(memoryDrawings)
projectFilesConformance(memoryProjectFiles)
projectFilesConformance(() => openDirectoryProjectFiles({ location: makeDirectory() }))
storageRepositoriesConformance(inMemory(memoryStorageRepositories))

// The three versions of Vitest run beside each other.
const base = { 3: 22_000, 4: 24_000, 5: 26_000 }[process.env.TRIVIUM_VITEST]
let allocators = 0
const allocator = () => {
  const first = base + (allocators % 80) * 20
  allocators += 1
  return createPortAllocator({
    isFree: portProbe(),
    consolePorts: { first, last: first + 9 },
    udpPorts: { first: first + 10, last: first + 19 },
  })
}

portAllocatorConformance(allocator)
datagramConformance({ label: 'by their descriptors' })
datagramConformance({ label: 'by node:dgram alone', portable: true })
consoleListenerConformance(async () => ({
  listener: tcpConsoleListener(),
  port: await allocator().allocate('console'),
}))
linkRelayConformance(async () => {
  const ports = allocator()
  const free = []
  while (free.length < 6) free.push(await ports.allocate('udp'))
  return { relay: linkRelay({ ports }), ports: free }
})

/** An instance with one NIC without a connection, and its wiring. */
function instanceOf(kind, settings) {
  const relay = linkRelay({ ports: allocator() })
  const instanceId = '22222222-2222-4222-8222-222222222222'
  const at = (nic) => ({ instanceId, ...nic })
  return {
    instance: {
      id: instanceId,
      projectId: '11111111-1111-4111-8111-111111111111',
      kind,
      name: 'one',
      settings,
      slot: 0,
      directory: makeDirectory(),
    },
    wiring: {
      nics: [{ adapter: 0, port: 0 }],
      state: () => ({ connected: false, linkUp: false }),
      plug: (nic, receive) => relay.plug(at(nic), receive),
      plugUdp: (nic, options) => relay.plugUdp(at(nic), options),
    },
    close: () => relay.close(),
  }
}

emulatorConformance(() => ({ emulator: virtualPcEmulator(), ...instanceOf('virtual-pc', { console: 2000 }) }))
emulatorConformance(() => ({
  emulator: ethernetSwitchEmulator(),
  ...instanceOf('ethernet-switch', { ports: [{ port: 1, type: 'access', vlan: 10 }] }),
}))

async function writeAs(volume, path, size, { id }) {
  const parent = path.split('/').slice(0, -1).join('/')
  if (parent && !(await volume.file(parent))) volume.files.makeDirectory(parent)
  try {
    volume.files.write(path, { size, user: id, group: id })
    return 'written'
  } catch (error) {
    if (isVolumeRefusal(error)) return 'refused'
    throw error
  }
}

volumeBackendConformance(() => {
  const owners = { one: 1001, two: 1002 }
  const volume = simulatedVolume({ size: 512 * 2 ** 20, users: owners, groups: owners })
  const { files, host } = volume
  return {
    backend: volume,
    users: Object.entries(owners).map(([name, id]) => ({ id: String(id), name })),
    write: (path, size, user) => writeAs(volume, path, size, user),
    writeSparse: async (path, size) => files.write(path, { size: 1, offset: size - 1 }),
    remove: async (path) => files.remove(path),
    makeDirectory: async (path) => files.makeDirectory(path),
    link: async (path, target) => files.link(path, target),
    contents: async (path) => files.contents(path),
    inClone: (clone) => ({
      write: async (path, size, user) => writeAs(await volume.volumeClones.open(clone), path, size, user),
      contents: async (path) => (await volume.volumeClones.open(clone)).files.contents(path),
    }),
    host: {
      unmount: async () => host.unmount(),
      mount: async () => host.mount(),
      disableQuotas: async () => host.disableQuotas(),
      enableQuotas: async () => host.enableQuotas(),
      removeQtree: async (name) => files.remove(name),
    },
  }
})
