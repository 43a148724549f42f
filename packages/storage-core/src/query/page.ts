import type { FieldCatalogue, FieldValue } from './field-catalogue.ts'
import type { Query } from './query.ts'

/** An order by one field. Unset sorts before every value, text by code point. Descending is the exact reverse. */
export interface OrderBy<Name extends string> {
  readonly field: Name
  readonly descending: boolean
}

/**
 * A position in an order: a value of each field of {@link fullOrder}, `null` when unset. It stays valid after its
 * record is deleted.
 */
export type Position = readonly (FieldValue | null)[]

/** A query with an order, a start and a limit. */
export interface PageRequest<Name extends string> {
  readonly query: Query<Name>
  /** Array fields are ignored. The key fields are appended, in the direction of the last field. */
  readonly order: readonly OrderBy<Name>[]
  /** The first position of the page, inclusive. @default the start */
  readonly start?: Position
  /** The maximum number of records of the page, at least 1. */
  readonly limit: number
}

/** Records in the requested order. */
export interface Page<Entity> {
  readonly records: readonly Entity[]
  /** The start of the next page. Absent on the last page. */
  readonly next?: Position
}

/**
 * Returns the total order of a page: the requested one without repetitions and array fields, then the other key fields.
 * They have the direction of the last field, so that an index of the fields serves both directions.
 */
export function fullOrder<Entity, Name extends string>(
  { fields, key }: FieldCatalogue<Entity, Name>,
  order: readonly OrderBy<Name>[],
): readonly OrderBy<Name>[] {
  const requested = order.filter(({ field }) => !fields[field].array)
  const descending = requested.at(-1)?.descending ?? false
  const wanted = [...requested, ...key.map((field) => ({ field, descending }))]
  return wanted.filter(({ field }, index) => wanted.findIndex((other) => other.field === field) === index)
}
