import type { DialectName } from '../dialects/dialect.ts'

/** Where the tables are, and what their names begin with. */
export interface TableNaming {
  /**
   * The schema of all tables on PostgreSQL, which migrations create where it is absent. At most 63 letters, digits and
   * underscores.
   * @default the first schema of the connection's `search_path`
   */
  readonly schema?: string
  /**
   * The beginning of the names of all tables, indexes and constraints, such as `tv_`. At most 20 letters, digits and
   * underscores. Services with different prefixes share nothing.
   * @default no prefix
   */
  readonly tablePrefix?: string
}

const SCHEMA = /^[a-z_]\w{0,62}$/i
/** The longest name without a prefix has 32 characters, and PostgreSQL truncates names of more than 63. */
const PREFIX = /^[a-z_]\w{0,19}$/i

/**
 * Checks the names among the options of a database.
 *
 * @throws {TypeError} when a name is not a text or is malformed, or a schema is given for a database other than PostgreSQL
 */
export function tableNaming({ schema, tablePrefix }: TableNaming, dialect: DialectName): TableNaming {
  for (const [name, value] of Object.entries({ schema, tablePrefix })) {
    if (value !== undefined && typeof value !== 'string') throw new TypeError(`'${name}' must be a text.`)
  }
  if (tablePrefix !== undefined && tablePrefix !== '' && !PREFIX.test(tablePrefix)) {
    throw new TypeError(
      `The table prefix "${tablePrefix}" is malformed. Use at most 20 letters, digits and underscores, and begin with no digit.`,
    )
  }
  if (schema !== undefined && dialect !== 'postgres') {
    throw new TypeError('A schema is for PostgreSQL only. Use a table prefix.')
  }
  if (schema !== undefined && !SCHEMA.test(schema)) {
    throw new TypeError(
      `The schema "${schema}" is malformed. Use at most 63 letters, digits and underscores, and begin with no digit.`,
    )
  }
  return { ...(schema !== undefined && { schema }), ...(tablePrefix !== undefined && { tablePrefix }) }
}
