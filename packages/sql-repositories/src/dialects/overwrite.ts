import { sql } from 'kysely'
import type { Dialect } from './dialect.ts'

/** `overwrite` in the syntax of SQLite and PostgreSQL. */
export const overwrite: Dialect['overwrite'] = (query, { key, columns }) =>
  query.modifyEnd(
    sql`on conflict (${sql.join(key.map((column) => sql.ref(column)))}) do update set ${sql.join(
      columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`),
    )}`,
  )
