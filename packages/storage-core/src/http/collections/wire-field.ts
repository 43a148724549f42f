import type { Result } from 'neverthrow'
import type { FieldCatalogue, FieldValue } from '../../query/field-catalogue.ts'
import type { Alternative, FilterError } from '../../query/parse-filter.ts'
import { parseFilter } from '../../query/parse-filter.ts'
import type { FieldShape } from '../../query/parse-value.ts'

/** A field of records by its dotted name, as in filters, orders and positions. */
type WireField<Name extends string> = StoredField<Name> | ConstantField

export interface StoredField<Name extends string> {
  readonly field: Name
  /** Parses a filter on a field whose wire values are not those of the domain. @default by the type of the field */
  readonly parse?: (filter: string) => Result<readonly Alternative[], FilterError>
  /** For names of users or groups: the field of their ids, which a request that selects names alone also means. */
  readonly idField?: Name
}

/** A field with the same value in every record. Absent in all records when it has no value. */
export interface ConstantField {
  readonly constant: FieldValue | undefined
  readonly shape: FieldShape
}

/** The fields of a kind of record by their wire names, from which filters and orders derive. */
export type WireFields<Name extends string> = Readonly<Record<string, WireField<Name>>>

/** The records of a collection on the wire. */
export interface WireRecords<Entity, Name extends string> {
  /** The address of the collection. */
  readonly path: string
  readonly catalogue: FieldCatalogue<Entity, Name>
  readonly fields: WireFields<Name>
  /** The members that a list includes by default. @default all of them */
  readonly listed?: readonly string[]
  /** Members, or members inside them, that are read for each record, and that filters and orders cannot name. */
  readonly computed?: ReadonlySet<string>
  /** Members that ONTAP has and that are always absent here. Filters and orders may name them. */
  readonly absent?: ReadonlySet<string>
}

/** Finds a field by its name or by that of its object: `volume` is `volume.name`. Ignores inherited names. */
export function findWireField<Name extends string>(
  { fields }: Pick<WireRecords<never, Name>, 'fields'>,
  name: string,
): WireField<Name> | undefined {
  const whole = [name, `${name}.name`].find((known) => Object.hasOwn(fields, known))
  return whole === undefined ? undefined : fields[whole]
}

/** The first wire name of a field. */
export function wireName<Name extends string>(field: Name, fields: WireFields<Name>): string {
  for (const [name, wire] of Object.entries(fields)) if ('field' in wire && wire.field === field) return name
  throw new TypeError(`The field ${field} has no name on the wire`)
}

/** The members of records with these fields. */
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
