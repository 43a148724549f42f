import type {
  AlterTableBuilder,
  ColumnDefinitionBuilderCallback,
  CreateIndexBuilder,
  InsertQueryBuilder,
  InsertResult,
  Kysely,
  RawBuilder,
  SelectQueryBuilder,
} from 'kysely'
import type { SchemaTypes } from './schema-types.ts'

export type DialectName = 'sqlite' | 'postgres' | 'mysql'

/** A column that a table gets after it was made. */
export interface NewColumn {
  readonly table: AlterTableBuilder
  readonly name: string
  readonly type: RawBuilder<unknown>
  readonly define: ColumnDefinitionBuilderCallback
}

export interface Sums {
  readonly table: string
  readonly key: readonly string[]
  readonly columns: readonly string[]
}

/** What the databases do differently, as far as the repositories meet it. */
export interface Dialect {
  readonly name: DialectName
  /** A unique key has the value already. */
  isDuplicate(error: unknown): boolean
  /** The database gave a transaction up (deadlock, lock wait, lost race) that may well succeed when run again. */
  isContention(error: unknown): boolean
  /** Keeps others from changing the rows until the transaction ends; SQLite's transactions do so anyway. */
  forUpdate<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O>
  /** Adds one row unless a unique key of it is taken. @returns whether it was added */
  insertIfAbsent<DB, TB extends keyof DB>(query: InsertQueryBuilder<DB, TB, InsertResult>): Promise<boolean>
  /** Leaves rows out whose unique key is taken; `column` is any column of the table. */
  skipDuplicates<DB, TB extends keyof DB, O>(
    query: InsertQueryBuilder<DB, TB, O>,
    column: keyof DB[TB] & string,
  ): InsertQueryBuilder<DB, TB, O>
  /** Adds rows. Of one whose key is there already, the columns are added to the row that has it. */
  addUp<DB, TB extends keyof DB, O>(query: InsertQueryBuilder<DB, TB, O>, sums: Sums): InsertQueryBuilder<DB, TB, O>
  /** The largest of several values that are not null. */
  greatest<T>(...values: readonly RawBuilder<T>[]): RawBuilder<T>
  /** Text that consists of these parts with anything between them, compared character by character. */
  fitsPattern(text: RawBuilder<unknown>, parts: readonly string[]): RawBuilder<boolean>
  /** An order in which null comes before every value; descending is the exact reverse. */
  orderOf(column: RawBuilder<unknown>, options: { descending: boolean; nullable: boolean }): RawBuilder<unknown>
  /** `length` characters of a text, from the `start`-th on, the first being 1. */
  slice(text: RawBuilder<string>, start: RawBuilder<number>, length: RawBuilder<number>): RawBuilder<string>
  /** Text as a whole number of 64 bits. */
  toInteger(text: RawBuilder<string>): RawBuilder<number>
  /** A whole number that is not negative, with zeros before it up to that many digits. */
  padded(value: RawBuilder<number>, digits: number): RawBuilder<string>
  createIndexIfAbsent(index: CreateIndexBuilder<string>): Promise<void>
  addColumnIfAbsent(column: NewColumn): Promise<void>
  /** Where the tables of migrations are, for databases in which several schemas have tables of one name. */
  migrationSchema(kysely: Kysely<unknown>): Promise<{ readonly migrationTableSchema?: string }>
  schemaTypes(kysely: Kysely<unknown>): Promise<SchemaTypes>
}
