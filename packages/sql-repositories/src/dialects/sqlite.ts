import { sql } from 'kysely'
import { addUp } from './add-up.ts'
import type { Dialect } from './dialect.ts'
import { overwrite } from './overwrite.ts'
import { isSqliteBusy, isSqliteDuplicate } from './sqlite-errors.ts'

export const sqlite: Dialect = {
  name: 'sqlite',
  runsInProcess: true,
  isMissingTable: (error) => error instanceof Error && error.message.includes('no such table'),
  isDuplicate: isSqliteDuplicate,
  isContention: isSqliteBusy,
  forUpdate: (query) => query,
  lockFree: (query) => query,
  insertIfAbsent: async (query) => {
    const result = await query.onConflict((conflict) => conflict.doNothing()).executeTakeFirst()
    return result.numInsertedOrUpdatedRows === 1n
  },
  skipDuplicates: (query) => query.onConflict((conflict) => conflict.doNothing()),
  addUp,
  overwrite,
  greatest: (...values) => sql`max(${sql.join(values)})`,
  matchesPattern: (text, parts) => sql`${text} glob ${parts.map((part) => part.replace(/[[*?]/g, '[$&]')).join('*')}`,
  orderOf: (column, { descending }) => (descending ? sql`${column} desc` : column),
  toInteger: (text) => sql`cast(${text} as integer)`,
  createIndexIfAbsent: (index) => index.ifNotExists().execute(),
  indexNullable: (index, column) => index.column(column),
  dropIndexIfPresent: (index) => index.ifExists().execute(),
  addColumnIfAbsent: async ({ table, name, type, define }) => {
    try {
      await table.addColumn(name, type, define).execute()
    } catch (error) {
      if (!(error instanceof Error && /duplicate column name/i.test(error.message))) throw error
    }
  },
  widenText: async () => undefined,
  schemaTypes: async () => ({
    varchar: () => sql`text`,
    text: sql`text`,
    integer: sql`integer`,
    countingKey: sql`integer primary key autoincrement`,
    tableOptions: sql`strict`,
    keyOrder: sql`, without rowid`,
  }),
}
