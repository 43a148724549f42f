import type { CreateIndexBuilder, CreateTableBuilder, Kysely } from 'kysely'
import type { Dialect, NewColumn } from './dialect.ts'
import type { SchemaTypes } from './schema-types.ts'

/** The statements of migrations. Those that it creates are safe to run twice. */
export interface Schema {
  readonly kysely: Kysely<unknown>
  readonly dialect: Dialect
  readonly types: SchemaTypes
  createTable<Name extends string>(name: Name): CreateTableBuilder<Name>
  createIndex(name: string, table: string, columns: readonly string[], options?: IndexOptions): Promise<void>
  dropIndex(name: string, table: string): Promise<void>
  addColumn(table: string, column: Omit<NewColumn, 'table'>): Promise<void>
  widenText(table: string, column: Pick<NewColumn, 'name' | 'type'>): Promise<void>
}

export interface IndexOptions {
  readonly unique?: boolean
  /** The columns that can be null. Null comes before every value, as in the orders of lists. @default none */
  readonly optional?: readonly string[]
}

export function schemaOf(kysely: Kysely<unknown>, dialect: Dialect, types: SchemaTypes): Schema {
  return {
    kysely,
    dialect,
    types,
    createTable: (name) => kysely.schema.createTable(name).ifNotExists().modifyEnd(types.tableOptions),
    createIndex: async (name, table, columns, { unique = false, optional = [] } = {}) => {
      const index = columns.reduce(
        (index: CreateIndexBuilder<string>, column) =>
          optional.includes(column) ? dialect.indexNullable(index, column) : index.column(column),
        kysely.schema.createIndex(name).on(table),
      )
      await dialect.createIndexIfAbsent(unique ? index.unique() : index)
    },
    dropIndex: (name, table) => dialect.dropIndexIfPresent(kysely.schema.dropIndex(name), table),
    widenText: (table, column) => dialect.widenText({ ...column, table: kysely.schema.alterTable(table) }),
    addColumn: (table, column) => dialect.addColumnIfAbsent({ ...column, table: kysely.schema.alterTable(table) }),
  }
}
