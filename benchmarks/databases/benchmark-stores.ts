import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryEmulationRepositories } from '@trivium/emulation-core/memory'
import type { EmulationRepositories } from '@trivium/emulation-core/ports'
import { memoryGatewayRepositories } from '@trivium/gateway-core/memory'
import type { GatewayRepositories, RateLimiter } from '@trivium/gateway-core/ports'
import { openRedis, redisRateLimiter } from '@trivium/redis-repositories/gateway'
import { type Database, openDatabase } from '@trivium/sql-repositories'
import { migrateEmulation, sqlEmulationRepositories } from '@trivium/sql-repositories/emulation'
import { migrateGateway, sqlGatewayRepositories } from '@trivium/sql-repositories/gateway'
import { migrateStorage, sqlStorageRepositories } from '@trivium/sql-repositories/storage'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import type { StorageRepositories } from '@trivium/storage-core/ports'
import { sql } from 'kysely'
import { type BareDriver, openBare } from './bare-driver.ts'

export interface BenchmarkStore {
  readonly name: string
  readonly gateway?: GatewayRepositories
  readonly limiter?: RateLimiter
  readonly storage?: StorageRepositories
  readonly emulation?: EmulationRepositories
  /** The same database by its driver alone. */
  readonly bare?: BareDriver
}

const postgresUrl = process.env.TEST_POSTGRES_URL ?? 'postgres://root@127.0.0.1:5432/test'
const mysqlUrl = process.env.TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/test'
const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'

/** Yields each store in turn, new and empty, and deletes it before the next one. Servers that do not answer are left out. */
export async function* benchmarkStores(): AsyncGenerator<BenchmarkStore> {
  const gateway = memoryGatewayRepositories()
  yield {
    name: 'memory',
    gateway,
    limiter: gateway.rateLimiter,
    storage: memoryStorageRepositories(),
    emulation: memoryEmulationRepositories(),
  }

  const directory = mkdtempSync(join(tmpdir(), 'trivium-bench-'))
  yield* sqlStore('SQLite file', `sqlite:${join(directory, 'bench.db')}`)
  rmSync(directory, { recursive: true })

  yield* serverStore('PostgreSQL', postgresUrl)
  yield* serverStore('MariaDB', mysqlUrl)
  yield* redisStore()
}

async function* sqlStore(name: string, url: string): AsyncGenerator<BenchmarkStore> {
  const database = await openDatabase(url)
  await migrateGateway(database)
  await migrateStorage(database)
  await migrateEmulation(database)
  const gateway = sqlGatewayRepositories(database)
  const bare = await openBare(url)
  yield {
    name,
    gateway,
    limiter: gateway.rateLimiter,
    storage: sqlStorageRepositories(database),
    emulation: sqlEmulationRepositories(database),
    bare,
  }
  await bare.close()
  await database.close()
}

async function* serverStore(name: string, serverUrl: string): AsyncGenerator<BenchmarkStore> {
  const schema = `trivium_bench_${randomBytes(6).toString('hex')}`
  const server = await openDatabase({ url: serverUrl, connectTimeoutMs: 2000 })
  try {
    await execute(server, `create database ${schema}`)
  } catch {
    console.log(`\n${name}: no server at ${new URL(serverUrl).host}`)
    await server.close()
    return
  }
  const url = new URL(serverUrl)
  url.pathname = `/${schema}`
  yield* sqlStore(name, url.href)
  await execute(server, `drop database ${schema}`)
  await server.close()
}

async function* redisStore(): AsyncGenerator<BenchmarkStore> {
  const redis = await openRedis(redisUrl)
  const prefix = `trivium-bench:${randomBytes(6).toString('hex')}:`
  if (redis.client.status === 'ready') yield { name: 'Redis', limiter: redisRateLimiter(redis, { prefix }) }
  else console.log(`\nRedis: no server at ${new URL(redisUrl).host}`)
  await redis.close()
}

async function execute({ kysely }: Database, statement: string): Promise<void> {
  await sql.raw(statement).execute(kysely)
}
