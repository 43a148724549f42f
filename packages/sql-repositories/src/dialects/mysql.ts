import { type Kysely, sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import { likePattern } from './like-pattern.ts'

const NO_SUCH_TABLE = 1146
const DUPLICATE_ENTRY = 1062
const DUPLICATE_KEY_NAME = 1061
const DUPLICATE_COLUMN_NAME = 1060
/** ER_CANT_DROP_FIELD_OR_KEY */
const CANNOT_DROP = 1091
/** ER_LOCK_WAIT_TIMEOUT, ER_LOCK_DEADLOCK, ER_CHECKREAD */
const contention = [1205, 1213, 1020]

/** MySQL and MariaDB. Errors are identified by number, since the driver's names are wrong for MariaDB's own errors. */
export const mysql: Dialect = {
  name: 'mysql',
  runsInProcess: false,
  isMissingTable: (error) => errorNumber(error) === NO_SUCH_TABLE,
  isDuplicate,
  isContention: (error) => contention.includes(errorNumber(error)),
  forUpdate: (query) => query.forUpdate(),
  lockFree: (query) => query.forUpdate().skipLocked(),
  insertIfAbsent: async (query) => {
    try {
      await query.execute()
      return true
    } catch (error) {
      if (isDuplicate(error)) return false
      throw error
    }
  },
  // Not `insert ignore`, which also truncates values that do not fit.
  skipDuplicates: (query, column) =>
    query.modifyEnd(sql`on duplicate key update ${sql.ref(column)} = ${sql.ref(column)}`),
  // Both servers support `values()`. MariaDB has no alias for the new row, which MySQL prefers.
  addUp: (query, { columns }) =>
    query.modifyEnd(
      sql`on duplicate key update ${sql.join(
        columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(column)} + values(${sql.ref(column)})`),
      )}`,
    ),
  overwrite: (query, { columns }) =>
    query.modifyEnd(
      sql`on duplicate key update ${sql.join(columns.map((column) => sql`${sql.ref(column)} = values(${sql.ref(column)})`))}`,
    ),
  greatest: (...values) => sql`greatest(${sql.join(values)})`,
  matchesPattern: (text, parts) => sql`${text} like ${likePattern(parts)} escape '!'`,
  orderOf: (column, { descending }) => (descending ? sql`${column} desc` : column),
  toInteger: (text) => sql`cast(${text} as signed)`,
  createIndexIfAbsent: async (index) => {
    try {
      await index.execute()
    } catch (error) {
      if (errorNumber(error) !== DUPLICATE_KEY_NAME) throw error
    }
  },
  indexNullable: (index, column) => index.column(column),
  dropIndexIfPresent: async (index, table) => {
    try {
      await index.on(table).execute()
    } catch (error) {
      if (errorNumber(error) !== CANNOT_DROP) throw error
    }
  },
  addColumnIfAbsent: async ({ table, name, type, define }) => {
    try {
      await table.addColumn(name, type, define).execute()
    } catch (error) {
      if (errorNumber(error) !== DUPLICATE_COLUMN_NAME) throw error
    }
  },
  widenText: ({ table, name, type }) => table.modifyColumn(name, type, (column) => column.notNull()).execute(),
  schemaTypes: async (kysely) => {
    const collation = await binaryCollation(kysely)
    return {
      varchar: (length) => sql`varchar(${sql.lit(length)})`,
      text: sql`mediumtext`,
      integer: sql`bigint`,
      countingKey: sql`bigint auto_increment primary key`,
      tableOptions: sql`engine = InnoDB character set utf8mb4 collate ${sql.raw(collation)}`,
    }
  },
}

/** The collation that compares code points and keeps trailing blanks. Its name differs between the servers. */
async function binaryCollation(kysely: Kysely<unknown>): Promise<string> {
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(kysely)
  return rows[0]?.version.includes('MariaDB') ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin'
}

function isDuplicate(error: unknown): boolean {
  return errorNumber(error) === DUPLICATE_ENTRY
}

function errorNumber(error: unknown): number {
  return error instanceof Error && 'errno' in error && typeof error.errno === 'number' ? error.errno : 0
}
