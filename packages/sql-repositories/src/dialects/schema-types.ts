import type { RawBuilder } from 'kysely'

/**
 * Column types that mean the same everywhere: text keeps every character, is compared byte by byte and never padded;
 * integers have 64 bits. Moments are integers (milliseconds since 1970), booleans 0 and 1, documents JSON in text.
 */
export interface SchemaTypes {
  /** Text of at most that many characters, which may be in an index. */
  varchar(length: number): RawBuilder<string>
  readonly text: RawBuilder<string>
  readonly integer: RawBuilder<number>
  /** An integer that the database gives, each larger than those before: the primary key. */
  readonly countingKey: RawBuilder<number>
  /** What ends every `create table`. */
  readonly tableOptions: RawBuilder<unknown>
  /**
   * What lays a table's rows in the order of its primary key, behind the other options. Absent where they lie so anyway
   * (MySQL) or never (PostgreSQL).
   */
  readonly keyOrder?: RawBuilder<unknown>
}
