import { join, resolve } from 'node:path'
import type { EmulationRepositories } from '@trivium/emulation-core/ports'
import type { GatewayRepositories } from '@trivium/gateway-core/ports'
import { type Database, openDatabase } from '@trivium/sql-repositories'
import { migrateEmulation, sqlEmulationRepositories } from '@trivium/sql-repositories/emulation'
import { migrateGateway, sqlGatewayRepositories } from '@trivium/sql-repositories/gateway'
import { migrateStorage, sqlStorageRepositories } from '@trivium/sql-repositories/storage'
import type { StorageRepositories } from '@trivium/storage-core/ports'
import { type Settings, SettingsError } from '../settings.ts'
import { withProgressLine } from '../with-progress-line.ts'

/** The stores of all services. */
export interface Stores {
  /** The name of the store in messages. It contains no password. */
  readonly label: string
  readonly gateway: GatewayRepositories
  readonly emulation: EmulationRepositories
  readonly storage: StorageRepositories
  close(): Promise<void>
}

export async function openStores(settings: Settings): Promise<Stores> {
  const stores = settings.DATABASE_URL === 'memory:' ? await memoryStores() : await sqlStores(settings)
  const { REDIS_URL: url } = settings
  if (url === undefined) return stores
  const { openRedis, redisGatewayRepositories } = await import('@trivium/redis-repositories/gateway')
  const { host } = new URL(url)
  const redis = await withProgressLine(`Connecting to Redis at ${host}`, () => openRedis(url))
  const answers = redis.client.status === 'ready'
  return {
    ...stores,
    label: `${stores.label}, limits in Redis at ${host}${answers ? '' : ', which does not answer (requests with API keys are refused until it does)'}`,
    gateway: { ...stores.gateway, ...redisGatewayRepositories(redis) },
    async close() {
      await redis.close()
      await stores.close()
    },
  }
}

async function memoryStores(): Promise<Stores> {
  const { memoryGatewayRepositories } = await import('@trivium/gateway-core/memory')
  const { memoryEmulationRepositories } = await import('@trivium/emulation-core/memory')
  const { memoryStorageRepositories } = await import('@trivium/storage-core/memory')
  return {
    label: 'memory, lost when the server stops',
    gateway: memoryGatewayRepositories(),
    emulation: memoryEmulationRepositories(),
    storage: memoryStorageRepositories(),
    close: async () => undefined,
  }
}

async function sqlStores(settings: Settings): Promise<Stores> {
  const { url, label } = databaseAddress(settings)
  const database = await openDatabase({ url, durability: settings.TRIVIUM_DURABILITY })
  try {
    await withProgressLine(`Opening ${label}`, async () => {
      await migrateGateway(database)
      await migrateEmulation(database)
      await migrateStorage(database)
    })
  } catch (error) {
    await database.close()
    throw new SettingsError(`DATABASE_URL: ${label} cannot be used (${reasonOf(error)}). ${remedyFor(url)}.`)
  }
  return { label, ...repositoriesOf(database), close: () => database.close() }
}

const remedyFor = (url: string): string =>
  url.startsWith('sqlite:')
    ? 'Name a file that this user can write to, and that is absent or a database of Trivium'
    : 'Check that the database server runs, that the database exists, and that the user and password are correct'

const repositoriesOf = (database: Database) => ({
  gateway: sqlGatewayRepositories(database),
  emulation: sqlEmulationRepositories(database),
  storage: sqlStorageRepositories(database),
})

function databaseAddress({ DATABASE_URL: url, TRIVIUM_DATA_DIR: directory }: Settings): { url: string; label: string } {
  if (url === undefined) {
    const file = join(resolve(directory), 'trivium.sqlite')
    return { url: `sqlite:${file}`, label: `SQLite in ${join(directory, 'trivium.sqlite')}` }
  }
  if (url.startsWith('sqlite:')) return { url, label: `SQLite in ${url.slice('sqlite:'.length)}` }
  const { protocol, host, pathname } = new URL(url)
  return { url, label: `${protocol === 'mysql:' ? 'MySQL' : 'PostgreSQL'} at ${host}${pathname}` }
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message || error.name : String(error)
}
