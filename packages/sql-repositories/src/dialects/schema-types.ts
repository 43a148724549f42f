import type { RawBuilder } from 'kysely'

/**
 * Column types that mean the same in every database. Text keeps every character, is compared byte by byte and is never
 * padded. Integers have 64 bits. Times are integers (milliseconds since 1970), booleans 0 and 1, documents JSON in
 * text.
 */
export interface SchemaTypes {
  /** Text of at most `length` characters, which an index may contain. */
  varchar(length: number): RawBuilder<string>
  readonly text: RawBuilder<string>
  readonly integer: RawBuilder<number>
  /** A primary key: an integer that the database assigns, each larger than those before. */
  readonly countingKey: RawBuilder<number>
  /** The end of every `create table`. */
  readonly tableOptions: RawBuilder<unknown>
  /**
   * Table option after `tableOptions` that stores rows in the order of the primary key. Absent where that is always so
   * (MySQL) or not possible (PostgreSQL).
   */
  readonly keyOrder?: RawBuilder<unknown>
}
