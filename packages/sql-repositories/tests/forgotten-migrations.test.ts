import { linkRelay, portProbe, tcpConsoleListener } from '@trivium/embedded-emulators'
import { createEmulation, createPortAllocator, StoreFailure } from '@trivium/emulation-core'
import { emulationRoutes } from '@trivium/emulation-core/http'
import { memoryProjectFiles } from '@trivium/emulation-core/memory'
import { fetchHandler } from '@trivium/fetch-adapter'
import { createGateway } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import type { Route } from '@trivium/http-contract'
import { localProvider } from '@trivium/local-provider'
import { createStorage } from '@trivium/storage-core'
import { storageRoutes } from '@trivium/storage-core/http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../src/database.ts'
import { emulationMigrations, migrateEmulation } from '../src/emulation/migrate-emulation.ts'
import { sqlEmulationRepositories } from '../src/emulation/sql-emulation-repositories.ts'
import { gatewayMigrations, migrateGateway } from '../src/gateway/migrate-gateway.ts'
import { sqlGatewayRepositories } from '../src/gateway/sql-gateway-repositories.ts'
import { migrate } from '../src/migrations/migrate.ts'
import type { MigrationSet } from '../src/migrations/migration-set.ts'
import { openDatabase } from '../src/open-database.ts'
import { migrateStorage, storageMigrations } from '../src/storage/migrate-storage.ts'
import { sqlStorageRepositories } from '../src/storage/sql-storage-repositories.ts'

interface Service {
  start(): Promise<unknown>
  close(): Promise<void>
}

interface Kind {
  readonly name: string
  readonly set: MigrationSet
  readonly migrate: (database: Database) => Promise<void>
  /** A path that reads the store. */
  readonly path: string
  readonly open: (
    database: Database,
    onFault: (error: unknown, operation?: string) => void,
  ) => { readonly service: Service; readonly routes: readonly Route[] }
}

const admin = () => true
const headers = { authorization: `Basic ${btoa('admin:password')}` }

const kinds: readonly Kind[] = [
  {
    name: 'gateway',
    set: gatewayMigrations,
    migrate: migrateGateway,
    path: '/v1/auth/keys',
    open: (database, onFault) => {
      const providers = [localProvider()]
      const service = createGateway({ repositories: sqlGatewayRepositories(database), providers, onFault })
      return { service, routes: gatewayRoutes(service, { admin }) }
    },
  },
  {
    name: 'emulation',
    set: emulationMigrations,
    migrate: migrateEmulation,
    path: '/v1/projects',
    open: (database, onFault) => {
      const ports = createPortAllocator({ isFree: portProbe() })
      const service = createEmulation({
        repositories: sqlEmulationRepositories(database),
        emulators: {},
        relay: linkRelay({ ports }),
        ports,
        files: memoryProjectFiles(),
        consoles: tcpConsoleListener(),
        onFault,
      })
      return { service, routes: emulationRoutes(service, { admin }) }
    },
  },
  {
    name: 'storage',
    set: storageMigrations,
    migrate: migrateStorage,
    path: '/api/storage/qtrees',
    open: (database, onFault) => {
      const service = createStorage({ repositories: sqlStorageRepositories(database), onFault })
      return { service, routes: storageRoutes(service, { admin }) }
    },
  },
]

describe.each(kinds)('the $name over a database that was not migrated', ({
  name,
  set,
  migrate: migrateAll,
  path,
  open,
}) => {
  let database: Database
  let service: Service
  let faults: unknown[]
  /** The operation of each fault. */
  let operations: unknown[]
  let status: () => Promise<number>

  beforeEach(async () => {
    database = await openDatabase('memory:')
    faults = []
    operations = []
    const opened = open(database, (error, operation) => {
      faults.push(error)
      operations.push(operation)
    })
    service = opened.service
    const handle = fetchHandler(opened.routes)
    status = async () => (await handle(new Request(`http://127.0.0.1${path}`, { headers })))?.status ?? 0
  })
  afterEach(async () => {
    await service.close()
    await database.close()
  })

  const missing = new RegExp(
    `^The tables of the ${name} service are missing in the database\\. Run migrate\\w+\\(database\\), or npx trivium-migrate up\\.$`,
  )
  const sentences = () =>
    faults.flatMap((fault) =>
      fault instanceof Error && /The (tables|database)/.test(fault.message) ? fault.message : [],
    )

  it('rejects its start with a sentence, and starts after the migration', async () => {
    const failure = await service.start().catch((error: unknown) => error)
    expect(StoreFailure.is(failure)).toBe(true)
    expect(failure).toMatchObject({ message: expect.stringMatching(missing) })
    await migrateAll(database)
    await service.start()
    expect(await status()).toBe(200)
    expect(faults).toEqual([])
  })

  it('answers 503 and reports the sentence once when it was not started, and works after the migration', async () => {
    for (let request = 0; request < 3; request += 1) expect(await status()).toBe(503)
    expect(faults).toEqual([expect.objectContaining({ message: expect.stringMatching(missing) })])
    expect(StoreFailure.is(faults[0])).toBe(true)
    expect(operations).toEqual([expect.stringMatching(/^list/)])
    expect(await status()).toBe(503)
    expect(sentences()).toHaveLength(1)
    await migrateAll(database)
    expect(await status()).toBe(200)
    await service.start()
  })

  it('reports which migrations an outdated database lacks', async () => {
    const [first, ...others] = Object.entries(set.migrations)
    await migrate(database, { ...set, migrations: Object.fromEntries([first ?? ['', async () => {}]]) })
    await expect(service.start()).rejects.toThrow(
      `they lack the migration "${others.map(([step]) => step).join('", "')}".`,
    )
  })

  it('reports a database of a newer release', async () => {
    await migrate(database, { ...set, migrations: { ...set.migrations, '9999-later': async () => {} } })
    await expect(service.start()).rejects.toThrow(
      `The database has the tables of a newer release of the ${name}: this release has no migration "9999-later". Install the newer release.`,
    )
  })
})
