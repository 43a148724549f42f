import type { FieldCatalogue } from '@trivium/storage-core/ports'

/** Where a field is kept: in a column of the record's table, or one value a row in another table. */
export type Column = { readonly kind: 'required' | 'optional'; readonly name: string } | ColumnOfMany

export interface ColumnOfMany {
  readonly kind: 'many'
  readonly name: string
  readonly table: string
  readonly reference: string
}

/** How records that queries may ask for are kept. */
export interface RecordSource<Entity, Name extends string, Row> {
  readonly table: string
  readonly catalogue: FieldCatalogue<Entity, Name>
  readonly columns: Readonly<Record<Name, Column>>
  readonly fromRow: (row: Row) => Entity
}

/** A column that is never null. */
export const required = (name: string): Column => ({ kind: 'required', name })

/** A column that is null where the field is unset. */
export const optional = (name: string): Column => ({ kind: 'optional', name })

/** A column of another table, whose `reference` is the record's uuid. Rows in which it is null hold no value. */
export const many = (table: string, reference: string, name: string): Column => ({
  kind: 'many',
  table,
  reference,
  name,
})
