import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@trivium/sql-repositories'
import { migrateStorage } from '@trivium/sql-repositories/storage'
import { sql } from 'kysely'
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
export async function fillPostgres(serverUrl: string, rules: number): Promise<FilledStore | undefined> {
  const server = await openDatabase({ url: serverUrl, connectTimeoutMs: 2_000 })
  const run = (statement: string) => sql.raw(statement).execute(server.kysely)
  const name = `trivium_bench_${randomBytes(6).toString('hex')}`
  try {
    await run(`create database ${name}`)
  } catch {
    await server.close()
    return undefined
  }
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  await fill(url.href, rules)
  return {
    name: 'PostgreSQL',
    url: url.href,
    async remove() {
      await run(`drop database ${name}`)
      await server.close()
    },
  }
}

async function fill(url: string, rules: number): Promise<void> {
  const database = await openDatabase(url)
  await migrateStorage(database)
  await database.kysely.transaction().execute((transaction) => addRules(transaction, rules))
  // A database in use updates its statistics from time to time.
  await sql.raw('analyze').execute(database.kysely)
  await database.close()
}
