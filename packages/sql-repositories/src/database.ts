import type { Kysely } from 'kysely'
import type { Dialect } from './dialects/dialect.ts'

/** An open database: what every repository of this package is made from. One handle serves all three domains. */
export interface Database {
  readonly kysely: Kysely<unknown>
  readonly dialect: Dialect
  /** Waits for running queries and lets all connections go. A driver instance that the host gave stays open. */
  close(): Promise<void>
  /** The same database without a limit on how long a statement runs, for migrations. To be closed by the caller. */
  unbounded(): Promise<Database>
}

/** Which database is opened, and how patiently. Times are in milliseconds. */
export interface DatabaseOptions {
  /**
   * `sqlite:FILE`, `memory:`, `postgres://…` or `mysql://…` (MariaDB too). Query parameters of the last two go to
   * `pg` and `mysql2`.
   */
  readonly url: string
  /** The most connections to a database server. SQLite always has one. @default 10 */
  readonly maxConnections?: number
  /** How long to wait for a connection: a free one of the pool, or a new one. @default 5000 */
  readonly connectTimeoutMs?: number
  /**
   * After how long without an answer a statement is overdue, on a database server. A second connection then asks whether
   * the server works on it: one that does may take its time, else the connection is dropped and its statement fails.
   * Also the most that one attempt to connect takes. Larger for a server that is far away. @default 1000
   */
  readonly overdueMs?: number
  /** How long one statement may run on a database server; 0 lets it run for ever. @default 15000 */
  readonly statementTimeoutMs?: number
  /** How long a statement waits for a lock that another transaction or process holds. @default 5000 */
  readonly lockTimeoutMs?: number
  /** Unused connections to a database server are closed after this time. @default 30000 */
  readonly idleTimeoutMs?: number
  /**
   * Lets PostgreSQL keep the plans of frequent statements. Off for a pooler before it that hands out other connections
   * in turn and does not know of them (PgBouncer before 1.21). @default true
   */
  readonly preparedStatements?: boolean
  /**
   * What an answered write to a SQLite file survives: the end of the process by any signal, or also a power failure
   * (one disk flush more a write). The file stays consistent in both. @default 'process'
   */
  readonly durability?: 'process' | 'power'
}
