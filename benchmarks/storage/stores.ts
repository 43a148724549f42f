import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@trivium/sql-repositories'
import { migrateStorage } from '@trivium/sql-repositories/storage'
import { sql } from 'kysely'
import { migrate } from '../../packages/sql-repositories/src/migrations/migrate.ts'
import { storageMigrations } from '../../packages/sql-repositories/src/storage/migrate-storage.ts'
import { openBare } from '../databases/bare-driver.ts'
import { addRules } from './rules.ts'

/** A database with the rules, for the start of a server. */
export interface FilledStore {
  readonly name: string
  readonly url: string
  remove(): Promise<void>
}

export async function fillSqlite(rules: number): Promise<FilledStore> {
  const directory = mkdtempSync(join(tmpdir(), 'trivium-bench-'))
  const url = `sqlite:${join(directory, 'trivium.sqlite')}`
  await fill(url, rules)
  return { name: 'SQLite', url, remove: async () => rmSync(directory, { recursive: true }) }
}

/** Creates and fills a database; `undefined` where no server answers. */
export async function fillServer(name: string, serverUrl: string, rules: number): Promise<FilledStore | undefined> {
  const server = await openDatabase({ url: serverUrl, connectTimeoutMs: 2_000 })
  const run = (statement: string) => sql.raw(statement).execute(server.kysely)
  const database = `trivium_bench_${randomBytes(6).toString('hex')}`
  try {
    await run(`create database ${database}`)
  } catch {
    await server.close()
    return undefined
  }
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  const store: FilledStore = {
    name,
    url: url.href,
    async remove() {
      await run(`drop database ${database}`)
      await server.close()
    },
  }
  try {
    await fill(url.href, rules)
  } catch (error) {
    await store.remove()
    throw error
  }
  return store
}

/** Adds the rules before the migrations that create indexes, which is faster than extending them with each rule. */
async function fill(url: string, rules: number): Promise<void> {
  const steps = Object.entries(storageMigrations.migrations)
  const withoutIndexes = Object.fromEntries(steps.filter(([name]) => name < '0008'))
  const empty = await openDatabase(url)
  await migrate(empty, { ...storageMigrations, migrations: withoutIndexes })
  await empty.close()
  const isSqlite = url.startsWith('sqlite:')
  // Of the 2 MB that SQLite keeps by default, each page would be written many times.
  const MORE_PAGES = 'pragma cache_size = -500000'
  const bare = await openBare(url)
  if (isSqlite) await bare.run(MORE_PAGES)
  await addRules(bare, rules)
  await bare.close()
  const filled = await openDatabase(url)
  if (isSqlite) await sql.raw(MORE_PAGES).execute(filled.kysely)
  await migrateStorage(filled)
  // A database in use updates its statistics from time to time.
  for (const table of ['storage_quota_rules', 'storage_quota_rule_users']) {
    await sql.raw(`analyze ${url.startsWith('mysql') ? 'table ' : ''}${table}`).execute(filled.kysely)
  }
  await filled.close()
}
