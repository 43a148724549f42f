import { CompiledQuery } from 'kysely'
import type { Database } from '../database.ts'
import { mysql } from '../dialects/mysql.ts'
import { postgres } from '../dialects/postgres.ts'
import { sqlite } from '../dialects/sqlite.ts'
import { emulationMigrations } from '../emulation/migrate-emulation.ts'
import { gatewayMigrations } from '../gateway/migrate-gateway.ts'
import { migrate } from '../migrations/migrate.ts'
import { type MigrationSet, stepsOf } from '../migrations/migration-set.ts'
import { migrationState, newerRelease } from '../migrations/migration-state.ts'
import { printMigrations } from '../migrations/print-migrations.ts'
import type { ReadRows } from '../migrations/recorded-statements.ts'
import { tableNaming } from '../naming/table-naming.ts'
import { openDatabase } from '../open-database.ts'
import { storageMigrations } from '../storage/migrate-storage.ts'
import { help, type MigrateCommand, type PrintedDialect, readCommandLine } from './command-line.ts'

/** What the program gets from its process. */
export interface Surroundings {
  /** The arguments after the name of the program. */
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Writes to the standard output. */
  readonly print: (text: string) => void
  /** Writes to the standard error. */
  readonly printError: (text: string) => void
}

const sets: readonly MigrationSet[] = [gatewayMigrations, emulationMigrations, storageMigrations]

/** Runs `trivium-migrate`. Never rejects, and prints no password. @returns the exit code */
export async function runMigrations({ args, environment, print, printError }: Surroundings): Promise<number> {
  let command: MigrateCommand
  try {
    command = readCommandLine(args, environment)
  } catch (error) {
    printError(`${messageOf(error)}\n\n${help}`)
    return 2
  }
  try {
    return await run(command, print)
  } catch (error) {
    printError(`${withoutPassword(messageOf(error), command.database)}\n`)
    return 1
  }
}

async function run(command: MigrateCommand, print: Surroundings['print']): Promise<number> {
  if (command.action === 'help') {
    print(help)
    return 0
  }
  const chosen = sets.filter(({ name }) => command.services.includes(name))
  if (command.dialect !== undefined) {
    print(await printAll(command.dialect, command, chosen))
    return 0
  }
  const database = await openDatabase({ url: command.database ?? '', ...command.naming })
  try {
    switch (command.action) {
      case 'up':
        return await up(database, chosen, print)
      case 'status':
        return await status(database, chosen, print)
      case 'sql':
        return await printPending(database, chosen, print)
    }
  } finally {
    await database.close()
  }
}

async function up(database: Database, chosen: readonly MigrationSet[], print: Surroundings['print']): Promise<number> {
  for (const set of chosen) {
    const applied = await migrate(database, set)
    print(`${set.name}: ${applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`}.\n`)
  }
  return 0
}

async function status(
  database: Database,
  chosen: readonly MigrationSet[],
  print: Surroundings['print'],
): Promise<number> {
  let isUpToDate = true
  for (const set of chosen) {
    const { pending, unknown } = await migrationState(database, set)
    isUpToDate &&= pending.length === 0 && unknown.length === 0
    const all = stepsOf(set).length
    if (unknown.length > 0) print(`${set.name}: ${newerRelease(set, unknown)}\n`)
    else if (pending.length > 0)
      print(`${set.name}: ${all - pending.length} of ${all}, pending ${pending.join(', ')}.\n`)
    else print(`${set.name}: ${all} of ${all}, up to date.\n`)
  }
  return isUpToDate ? 0 : 3
}

async function printPending(
  database: Database,
  chosen: readonly MigrationSet[],
  print: Surroundings['print'],
): Promise<number> {
  const pending = []
  for (const set of chosen) {
    const { pending: steps, unknown } = await migrationState(database, set)
    if (unknown.length > 0) throw new Error(newerRelease(set, unknown))
    pending.push({ set, steps })
  }
  const { dialect, naming } = database
  const isUpToDate = pending.every(({ steps }) => steps.length === 0)
  const options = { dialect, naming, read: readFrom(database), isConnected: true, pending }
  print(isUpToDate ? '-- The database is up to date.\n' : await printMigrations(options))
  return 0
}

/** Reads what the steps read. Tables that earlier steps create have no rows yet. */
const readFrom =
  ({ kysely, dialect }: Database): ReadRows =>
  async ({ sql, parameters }) => {
    try {
      return (await kysely.executeQuery(CompiledQuery.raw(sql, [...parameters]))).rows
    } catch (error) {
      if (dialect.isMissingTable(error)) return []
      throw error
    }
  }

const dialects = { postgres, mysql, mariadb: mysql, sqlite }

function printAll(name: PrintedDialect, { naming }: MigrateCommand, chosen: readonly MigrationSet[]): Promise<string> {
  const dialect = dialects[name]
  return printMigrations({
    dialect,
    naming: tableNaming(naming, dialect.name),
    isConnected: false,
    // The only rows that a step for a new database needs: names of collations differ.
    read: async ({ sql }) => (sql.includes('version()') ? [{ version: name === 'mariadb' ? 'MariaDB' : 'MySQL' }] : []),
    pending: chosen.map((set) => ({ set, steps: stepsOf(set).map(([step]) => step) })),
  })
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}

/** Drivers do not print passwords. Errors of other programs, such as a proxy, might. */
function withoutPassword(message: string, database = ''): string {
  const password = URL.canParse(database) ? new URL(database).password : ''
  const hidden = [password, decoded(password)].filter((text) => text !== '')
  return hidden.reduce((text, secret) => text.replaceAll(secret, '…'), message)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
