import type { DatabaseOptions, DatabaseSettings } from './database.ts'
import type { HostDatabaseOptions, HostKyselyOptions, HostPoolOptions, HostSqliteOptions } from './host/host-options.ts'
import type { TableNaming } from './naming/table-naming.ts'

/** The names of all options of a kind of database. One that is absent or does not exist does not compile. */
type OptionNames<Options> = Readonly<Record<keyof Options, true>>

const naming: OptionNames<TableNaming> = { schema: true, tablePrefix: true }

const settings: OptionNames<DatabaseSettings> = {
  ...naming,
  maxConnections: true,
  connectTimeoutMs: true,
  overdueMs: true,
  statementTimeoutMs: true,
  lockTimeoutMs: true,
  idleTimeoutMs: true,
  preparedStatements: true,
  durability: true,
  password: true,
  credentials: true,
}

const address: OptionNames<DatabaseOptions> = { ...settings, url: true }
const pool: OptionNames<HostPoolOptions> = { ...naming, pool: true }
const kysely: OptionNames<HostKyselyOptions> = { ...naming, kysely: true, dialect: true }
const sqlite: OptionNames<HostSqliteOptions> = { ...naming, sqlite: true, lockTimeoutMs: true }

/** The options of a database by the one that names it. */
const kinds = Object.entries({ url: address, pool, kysely, sqlite })

/**
 * Checks the settings beside an address. A host may be plain JavaScript, where a misspelt prefix would have no effect.
 * An option with the value `undefined` is absent.
 *
 * @throws {TypeError} when an option does not exist
 */
export function checkSettings(options: DatabaseSettings): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError('The options of openDatabase must be an object.')
  checkNames(options, settings, '')
}

/**
 * Checks the names of the options of a database. Those that name no database are left to the caller.
 *
 * @throws {TypeError} when an option does not exist for the kind of database, or the options name two databases
 */
export function checkDatabaseOptions(options: DatabaseOptions | HostDatabaseOptions): void {
  if (typeof options !== 'object' || options === null) return
  const [first, second] = kinds.filter(([name]) => Reflect.get(options, name) !== undefined)
  if (first === undefined) return
  const [name, known] = first
  if (second !== undefined) throw new TypeError(`Only one of '${name}' and '${second[0]}' can be given.`)
  checkNames(options, known, name === 'url' ? '' : ` beside '${name}'`)
}

function checkNames(options: object, known: object, place: string): void {
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && !Object.hasOwn(known, name)) {
      throw new TypeError(`openDatabase has no option '${name}'${place}.`)
    }
  }
}
