import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anthropicProvider } from '@trivium/anthropic-provider'
import {
  ethernetSwitchEmulator,
  linkRelay,
  openDirectoryProjectFiles,
  portProbe,
  tcpConsoleListener,
  virtualPcEmulator,
} from '@trivium/embedded-emulators'
import { createEmulation, createPortAllocator } from '@trivium/emulation-core'
import { emulationRoutes, emulationSocketRoutes } from '@trivium/emulation-core/http'
import { fetchHandler } from '@trivium/fetch-adapter'
import { createGateway } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { adminCheck } from '@trivium/http-contract'
import { localProvider } from '@trivium/local-provider'
import { loadNativeDatagrams } from '@trivium/native-datagrams'
import { openAiProvider } from '@trivium/openai-provider'
import { simulatedVolume } from '@trivium/simulated-volumes'
import { openDatabase } from '@trivium/sql-repositories'
import { migrateEmulation, sqlEmulationRepositories } from '@trivium/sql-repositories/emulation'
import { migrateGateway, sqlGatewayRepositories } from '@trivium/sql-repositories/gateway'
import { migrateStorage, sqlStorageRepositories } from '@trivium/sql-repositories/storage'
import { createStorage } from '@trivium/storage-core'
import { storageRoutes } from '@trivium/storage-core/http'

/** Nothing listens there. The providers are in the bundle, and are never called. */
const baseUrl = 'http://127.0.0.1:9/v1'

/**
 * Starts all three services over one SQLite database. `GET /host` answers a key of the gateway, and what the host sees of
 * the optional drivers, which are not installed.
 */
export async function startServices() {
  const database = await openDatabase('memory:')
  await migrateGateway(database)
  await migrateEmulation(database)
  await migrateStorage(database)
  const gateway = createGateway({
    repositories: sqlGatewayRepositories(database),
    providers: [localProvider(), openAiProvider({ baseUrl }), anthropicProvider({ baseUrl, apiKey: 'none' })],
  })
  const issued = await gateway.apiKeys.generate({ username: 'me' })
  if (issued.isErr()) throw new Error(issued.error.type)
  const ports = createPortAllocator({ isFree: portProbe() })
  const emulation = createEmulation({
    repositories: sqlEmulationRepositories(database),
    emulators: { 'virtual-pc': virtualPcEmulator(), 'ethernet-switch': ethernetSwitchEmulator() },
    relay: linkRelay({ ports, batches: loadNativeDatagrams() }),
    ports,
    files: await openDirectoryProjectFiles({ location: mkdtempSync(join(tmpdir(), 'trivium-bundled-')) }),
    consoles: tcpConsoleListener(),
  })
  const storage = createStorage({
    repositories: sqlStorageRepositories(database),
    volumes: [{ name: 'vol1', backend: simulatedVolume() }],
  })
  await storage.start()
  const admin = adminCheck('secret')
  const handle = fetchHandler([
    ...gatewayRoutes(gateway, { admin }),
    ...emulationRoutes(emulation, { admin }),
    ...storageRoutes(storage, { admin }),
  ])
  const absent = await Promise.all(
    ['postgres://127.0.0.1/none', 'mysql://127.0.0.1/none'].map((url) => failureOf(openDatabase(url))),
  )
  return {
    absent,
    sockets: emulationSocketRoutes(emulation, { admin }),
    answer: async (request) => {
      if (new URL(request.url).pathname === '/host') return Response.json({ key: issued.value.secret, absent })
      return (await handle(request)) ?? new Response(null, { status: 404 })
    },
  }
}

export const failureOf = (promise) =>
  promise.then(
    () => 'no failure',
    (error) => error.message,
  )
