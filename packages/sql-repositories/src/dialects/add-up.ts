import { sql } from 'kysely'
import type { Dialect } from './dialect.ts'

/** `addUp` in the syntax of SQLite and PostgreSQL. */
export const addUp: Dialect['addUp'] = (query, { table, key, columns }) =>
  query.modifyEnd(
    sql`on conflict (${sql.join(key.map((column) => sql.ref(column)))}) do update set ${sql.join(
      columns.map(
        (column) => sql`${sql.ref(column)} = ${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
      ),
    )}`,
  )
