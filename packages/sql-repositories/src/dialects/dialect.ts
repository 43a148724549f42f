import type {
  AlterTableBuilder,
  ColumnDefinitionBuilderCallback,
  CreateIndexBuilder,
  DropIndexBuilder,
  InsertQueryBuilder,
  InsertResult,
  Kysely,
  RawBuilder,
  SelectQueryBuilder,
} from 'kysely'
import type { SchemaTypes } from './schema-types.ts'

export type DialectName = 'sqlite' | 'postgres' | 'mysql'

/** A column that is added to an existing table. */
export interface NewColumn {
  readonly table: AlterTableBuilder
  readonly name: string
  readonly type: RawBuilder<unknown>
  readonly define: ColumnDefinitionBuilderCallback
}

/** The columns that `addUp` adds to an existing row, and the key that finds the row. */
export interface Sums {
  readonly table: string
  readonly key: readonly string[]
  readonly columns: readonly string[]
}

/** The differences between the databases that the repositories depend on. */
export interface Dialect {
  readonly name: DialectName
  /**
   * The isolation that every transaction requests. Absent where all connections have it.
   * @default the isolation of the connection
   */
  readonly isolation?: 'read committed'
  /** Whether statements hold up all other work of this process while they run. */
  readonly runsInProcess: boolean
  /** Whether a statement failed because its table does not exist. */
  isMissingTable(error: unknown): boolean
  /** Whether a statement failed because a unique key has the value already. */
  isDuplicate(error: unknown): boolean
  /**
   * Whether the database aborted a transaction (deadlock, lock wait, lost race) that can succeed when it is run again.
   */
  isContention(error: unknown): boolean
  /** Keeps others from changing the rows until the transaction ends. SQLite's transactions do so anyway. */
  forUpdate<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O>
  /** Like `forUpdate`, without the rows that another transaction keeps from being changed. */
  lockFree<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O>
  /** Adds one row unless a unique key of it is taken. @returns whether it was added */
  insertIfAbsent<DB, TB extends keyof DB>(query: InsertQueryBuilder<DB, TB, InsertResult>): Promise<boolean>
  /** Leaves out rows whose unique key is taken. `column` is any column of the table. */
  skipDuplicates<DB, TB extends keyof DB, O>(
    query: InsertQueryBuilder<DB, TB, O>,
    column: keyof DB[TB] & string,
  ): InsertQueryBuilder<DB, TB, O>
  /** Adds rows. Where a row with the same key exists, adds the columns to that row. */
  addUp<DB, TB extends keyof DB, O>(query: InsertQueryBuilder<DB, TB, O>, sums: Sums): InsertQueryBuilder<DB, TB, O>
  /** Adds rows. Where a row with the same key exists, gives its columns the new values. */
  overwrite<DB, TB extends keyof DB, O>(
    query: InsertQueryBuilder<DB, TB, O>,
    values: Pick<Sums, 'key' | 'columns'>,
  ): InsertQueryBuilder<DB, TB, O>
  /** The largest of several values that are not null. */
  greatest<T>(...values: readonly RawBuilder<T>[]): RawBuilder<T>
  /** Whether the text consists of these parts with any characters between them, compared character by character. */
  matchesPattern(text: RawBuilder<unknown>, parts: readonly string[]): RawBuilder<boolean>
  /** An order in which null comes before every value. Descending is the exact reverse. */
  orderOf(column: RawBuilder<unknown>, options: { descending: boolean; nullable: boolean }): RawBuilder<unknown>
  /** The text as a whole number of 64 bits. */
  toInteger(text: RawBuilder<string>): RawBuilder<number>
  createIndexIfAbsent(index: CreateIndexBuilder<string>): Promise<void>
  /** Adds a column that can be null to an index, in the order of {@link orderOf}. */
  indexNullable(index: CreateIndexBuilder<string>, column: string): CreateIndexBuilder<string>
  dropIndexIfPresent(index: DropIndexBuilder, table: string): Promise<void>
  addColumnIfAbsent(column: NewColumn): Promise<void>
  /** Lets a text that is not null have more characters, where the database bounds them. */
  widenText(column: Omit<NewColumn, 'define'>): Promise<void>
  schemaTypes(kysely: Kysely<unknown>): Promise<SchemaTypes>
}
