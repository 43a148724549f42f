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
  /** The fields that may be unset: their columns are null then. @default none */
  readonly optional?: readonly Name[]
  /** Where the fields are that are not in the column of their own name, in snake case. @default none */
  readonly elsewhere?: Readonly<Partial<Record<Name, Column>>>
  readonly fromRow: (row: Row) => Entity
}

export const columnOf = <Entity, Name extends string, Row>(
  { optional = [], elsewhere }: RecordSource<Entity, Name, Row>,
  field: Name,
): Column => elsewhere?.[field] ?? { kind: optional.includes(field) ? 'optional' : 'required', name: snakeCase(field) }

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A column of another table, whose `reference` is the record's uuid. Rows in which it is null hold no value. */
export const many = (table: string, reference: string, name: string): Column => ({
  kind: 'many',
  table,
  reference,
  name,
})
