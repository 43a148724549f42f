import type { Result } from 'neverthrow'
import type { FieldCatalogue, FieldValue } from '../../query/field-catalogue.ts'
import type { Alternative, FilterError } from '../../query/parse-filter.ts'
import { parseFilter } from '../../query/parse-filter.ts'
import type { FieldShape } from '../../query/parse-value.ts'

/** A field of records by its dotted name, as filters, orders and places name it. */
type WireField<Name extends string> = StoredField<Name> | ConstantField

export interface StoredField<Name extends string> {
  readonly field: Name
  /** Reads a filter where the wire's values are not the domain's. @default by the field's type */
  readonly parse?: (filter: string) => Result<readonly Alternative[], FilterError>
}

/** The same for every record; absent in all of them without a value. */
export interface ConstantField {
  readonly constant: FieldValue | undefined
  readonly shape: FieldShape
}

type WireFields<Name extends string> = Readonly<Record<string, WireField<Name>>>

/** What a collection's records look like from outside. */
export interface WireRecords<Entity, Name extends string> {
  /** The address of the collection. */
  readonly path: string
  readonly catalogue: FieldCatalogue<Entity, Name>
  readonly fields: WireFields<Name>
  /** Objects that may be filtered by their own name instead of their key: `volume` for `volume.name`. */
  readonly shorthands: Readonly<Record<string, string>>
  /** The members that a list shows without being asked. @default all of them */
  readonly listed?: readonly string[]
  /** Members that records show, and that nothing can be asked about: they are found out for each record. */
  readonly shown?: ReadonlySet<string>
  /** Members that other products of this interface have, and that are always absent here. */
  readonly absent?: ReadonlySet<string>
}

/** By its name or its shorthand; names come from outside, and `constructor` is none of them. */
export function findWireField<Name extends string>(
  { fields, shorthands }: Pick<WireRecords<never, Name>, 'fields' | 'shorthands'>,
  name: string,
): WireField<Name> | undefined {
  if (Object.hasOwn(fields, name)) return fields[name]
  return Object.hasOwn(shorthands, name) ? fields[shorthands[name] ?? ''] : undefined
}

export const constant = (value: FieldValue | undefined, shape: FieldShape): ConstantField => ({
  constant: value,
  shape,
})

export function parseWireFilter<Name extends string>(
  filter: string,
  wire: StoredField<Name>,
  catalogue: FieldCatalogue<never, Name>,
): Result<readonly Alternative[], FilterError> {
  return wire.parse ? wire.parse(filter) : parseFilter(filter, catalogue.fields[wire.field])
}
