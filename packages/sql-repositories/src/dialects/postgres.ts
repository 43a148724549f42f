import { sql } from 'kysely'
import { addUp } from './add-up.ts'
import type { Dialect } from './dialect.ts'
import { likePattern } from './like-pattern.ts'
import { overwrite } from './overwrite.ts'

const UNDEFINED_TABLE = '42P01'
const UNIQUE_VIOLATION = '23505'
/** serialization_failure, deadlock_detected, lock_not_available, in_failed_sql_transaction (after an outdated plan) */
const contention = ['40001', '40P01', '55P03', '25P02']

export const postgres: Dialect = {
  name: 'postgres',
  runsInProcess: false,
  isMissingTable: (error) => sqlState(error) === UNDEFINED_TABLE,
  isDuplicate: (error) => sqlState(error) === UNIQUE_VIOLATION,
  isContention: (error) => contention.includes(sqlState(error)),
  forUpdate: (query) => query.forUpdate(),
  lockFree: (query) => query.forUpdate().skipLocked(),
  insertIfAbsent: async (query) => {
    const result = await query.onConflict((conflict) => conflict.doNothing()).executeTakeFirst()
    return result.numInsertedOrUpdatedRows === 1n
  },
  skipDuplicates: (query) => query.onConflict((conflict) => conflict.doNothing()),
  addUp,
  overwrite,
  greatest: (...values) => sql`greatest(${sql.join(values)})`,
  matchesPattern: (text, parts) => sql`${text} like ${likePattern(parts)} escape '!'`,
  orderOf: (column, { descending, nullable }) => {
    const direction = descending ? sql`desc` : sql`asc`
    return nullable
      ? sql`${column} ${direction} nulls ${descending ? sql`last` : sql`first`}`
      : sql`${column} ${direction}`
  },
  toInteger: (text) => sql`cast(${text} as bigint)`,
  createIndexIfAbsent: (index) => index.ifNotExists().execute(),
  indexNullable: (index, column) => index.expression(sql`${sql.ref(column)} nulls first`),
  dropIndexIfPresent: (index) => index.ifExists().execute(),
  addColumnIfAbsent: ({ table, name, type, define }) =>
    table.addColumn(name, type, (column) => define(column).ifNotExists()).execute(),
  widenText: ({ table, name, type }) => table.alterColumn(name, (column) => column.setDataType(type)).execute(),
  schemaTypes: async () => ({
    varchar: (length) => sql`varchar(${sql.lit(length)}) collate "C"`,
    text: sql`text collate "C"`,
    integer: sql`bigint`,
    countingKey: sql`bigint generated always as identity primary key`,
    tableOptions: sql``,
  }),
}

function sqlState(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
