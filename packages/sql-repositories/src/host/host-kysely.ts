import { type Kysely, MysqlAdapter, PostgresAdapter, SqliteAdapter } from 'kysely'
import type { DialectName } from '../dialects/dialect.ts'

/** What is used of a Kysely instance, regardless of the types of its tables. */
export interface HostKysely {
  readonly isTransaction: boolean
  getExecutor(): { readonly adapter: object }
}

const adapters = [
  { adapter: PostgresAdapter, dialect: 'postgres' },
  { adapter: MysqlAdapter, dialect: 'mysql' },
  { adapter: SqliteAdapter, dialect: 'sqlite' },
] as const

/** Whether a value is a Kysely instance, also of another copy of Kysely. */
export const isKysely = (value: unknown): value is Kysely<unknown> =>
  typeof value === 'object' && value !== null && 'getExecutor' in value && 'withoutPlugins' in value

/**
 * Finds the dialect of an instance by its adapter, which may extend one of Kysely's, unless the host has named it.
 *
 * @throws {TypeError} when the instance is a transaction, or the dialect is unknown
 */
export function dialectOf(kysely: HostKysely, named: DialectName | undefined): DialectName {
  if (kysely.isTransaction) throw new TypeError('A transaction cannot be used as a database. Pass the Kysely instance.')
  const { adapter: own } = kysely.getExecutor()
  const known = adapters.find(({ adapter, dialect }) =>
    named === undefined ? own instanceof adapter || inherits(own, adapter.name) : dialect === named,
  )
  if (known === undefined) {
    throw new TypeError(
      'The dialect of the Kysely instance is unknown. Name it as `dialect`: postgres, mysql or sqlite.',
    )
  }
  return known.dialect
}

/** Classes of another copy of Kysely have the same names. */
function inherits(object: object, className: string): boolean {
  for (let type: unknown = Object.getPrototypeOf(object); type !== null; type = Object.getPrototypeOf(type)) {
    if (typeof type === 'object' && type?.constructor.name === className) return true
  }
  return false
}
