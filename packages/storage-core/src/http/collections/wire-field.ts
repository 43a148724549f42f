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

/** The fields of a kind of record: each name is spelled here, and what names fields derives from it. */
export type WireFields<Name extends string> = Readonly<Record<string, WireField<Name>>>

/** What a collection's records look like from outside. */
export interface WireRecords<Entity, Name extends string> {
  /** The address of the collection. */
  readonly path: string
  readonly catalogue: FieldCatalogue<Entity, Name>
  readonly fields: WireFields<Name>
  /** The members that a list shows without being asked. @default all of them */
  readonly listed?: readonly string[]
  /** Members that records show, and that nothing can be asked about: they are found out for each record. */
  readonly shown?: ReadonlySet<string>
  /** Members that other products of this interface have, and that are always absent here. */
  readonly absent?: ReadonlySet<string>
}

/** By its name, or an object's alone: `volume` is `volume.name`. Names come from outside, and `constructor` is none of them. */
export function findWireField<Name extends string>(
  { fields }: Pick<WireRecords<never, Name>, 'fields'>,
  name: string,
): WireField<Name> | undefined {
  const whole = [name, `${name}.name`].find((known) => Object.hasOwn(fields, known))
  return whole === undefined ? undefined : fields[whole]
}

/** The first name that the wire has for a field. */
export function wireName<Name extends string>(field: Name, fields: WireFields<Name>): string {
  for (const [name, wire] of Object.entries(fields)) if ('field' in wire && wire.field === field) return name
  throw new TypeError(`The field ${field} has no name on the wire`)
}

/** The members of the records that have these fields. */
export const memberNames = (fields: WireFields<string>): ReadonlySet<string> =>
  new Set(Object.keys(fields).map((name) => name.split('.')[0] ?? ''))

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
