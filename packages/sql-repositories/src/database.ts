import type { Kysely } from 'kysely'
import type { CredentialOptions } from './credentials/credentials.ts'
import type { Dialect } from './dialects/dialect.ts'
import type { TableNaming } from './naming/table-naming.ts'

/** An open database, from which every repository of this package is created. One handle serves all three domains. */
export interface Database {
  readonly kysely: Kysely<unknown>
  readonly dialect: Dialect
  /** Where the tables are. The queries of `kysely` have the names without a prefix. */
  readonly naming: TableNaming
  /** Waits for running queries and closes all connections. What the host has opened stays open. */
  close(): Promise<void>
  /** Opens the same database without a time limit of statements, for migrations. The caller closes it. */
  unbounded(): Promise<Database>
}

/** The address of a database, with its settings. */
export interface DatabaseOptions extends DatabaseSettings {
  /**
   * `sqlite:FILE`, `memory:`, `postgres://…` or `mysql://…` (MariaDB too). Query parameters of the last two are passed
   * to `pg` and `mysql2`.
   */
  readonly url: string
}

/** The connections of a database that is opened by its address, and its time limits in milliseconds. */
export interface DatabaseSettings extends TableNaming, CredentialOptions {
  /** The most connections to a database server. SQLite always has one. @default 10 */
  readonly maxConnections?: number
  /** How long to wait for a connection: a free one of the pool, or a new one. @default 5000 */
  readonly connectTimeoutMs?: number
  /**
   * Time without an answer after which a statement on a database server is overdue. A second connection then asks
   * whether the server works on it. If it does, the statement may take until `statementTimeoutMs`. If not, the
   * connection is dropped and its statement fails. Also the limit of one attempt to connect. Raise it for a distant
   * server.
   * @default 1000
   */
  readonly overdueMs?: number
  /** How long one statement may run on a database server. 0 removes the limit. @default 15000 */
  readonly statementTimeoutMs?: number
  /** How long a statement waits for a lock that another transaction or process holds. @default 5000 */
  readonly lockTimeoutMs?: number
  /** Unused connections to a database server are closed after this time. @default 30000 */
  readonly idleTimeoutMs?: number
  /**
   * Lets PostgreSQL keep the plans of frequent statements. Turn it off for a pooler that shares connections between
   * clients and does not support prepared statements (PgBouncer before 1.21). @default true
   */
  readonly preparedStatements?: boolean
  /**
   * What an answered write to a SQLite file survives: the end of the process by any signal, or also a power failure
   * (one more disk flush for each write). The file stays consistent in both. @default 'process'
   */
  readonly durability?: 'process' | 'power'
}
