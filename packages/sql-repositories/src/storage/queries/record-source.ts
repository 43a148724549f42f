import type { FieldCatalogue } from '@trivium/storage-core/ports'

/** Where a field is stored: in a column of the record's table, or in another table with one value in each row. */
export type Column = { readonly kind: 'required' | 'optional'; readonly name: string } | ColumnOfMany

export interface ColumnOfMany {
  readonly kind: 'many'
  readonly name: string
  readonly table: string
  readonly reference: string
}

/** How records that can be queried are stored. */
export interface RecordSource<Entity, Name extends string, Row> {
  readonly table: string
  readonly catalogue: FieldCatalogue<Entity, Name>
  /** The fields that can be unset. Their columns are null then. @default none */
  readonly optional?: readonly Name[]
  /** The columns of fields that are not stored in the column of their own name in snake case. @default none */
  readonly elsewhere?: Readonly<Partial<Record<Name, Column>>>
  /**
   * The indexes by which lists are read, each with its columns before the key. Records with indexes have one key field,
   * and may be so many that no statement may read them all. @default none
   */
  readonly indexes?: readonly (readonly string[])[]
  readonly fromRow: (row: Row) => Entity
}

export const columnOf = <Entity, Name extends string, Row>(
  { optional = [], elsewhere }: RecordSource<Entity, Name, Row>,
  field: Name,
): Column => elsewhere?.[field] ?? { kind: optional.includes(field) ? 'optional' : 'required', name: snakeCase(field) }

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A column of another table, whose column `reference` is the record's uuid. Rows with null in it hold no value. */
export const columnOfMany = (table: string, reference: string, name: string): Column => ({
  kind: 'many',
  table,
  reference,
  name,
})
