import type { FieldCatalogue, FieldValue } from './field-catalogue.ts'
import type { Query } from './query.ts'

/** Unset sorts before every value; text sorts by code point; descending is the exact reverse. */
export interface OrderBy<Name extends string> {
  readonly field: Name
  readonly descending: boolean
}

/**
 * A place in an order: a value of each of {@link fullOrder}'s fields, `null` where unset. It stays a place after its
 * record is gone.
 */
export type Position = readonly (FieldValue | null)[]

/** Which records, in which order, from where on. */
export interface PageRequest<Name extends string> {
  readonly query: Query<Name>
  /** Array fields have no order and are left out. The key fields follow on their own. */
  readonly order: readonly OrderBy<Name>[]
  /** The first place of the page, itself included. @default the start */
  readonly start?: Position
  /** The most records of the page, at least 1. */
  readonly limit: number
}

/** Some records, in the order that was asked for. */
export interface Page<Entity> {
  readonly records: readonly Entity[]
  /** Where the next page starts; absent when nothing follows. */
  readonly next?: Position
}

/** The order that a page really has: what was asked for without repeats and array fields, then the missing key fields. */
export function fullOrder<Entity, Name extends string>(
  { fields, key }: FieldCatalogue<Entity, Name>,
  order: readonly OrderBy<Name>[],
): readonly OrderBy<Name>[] {
  const wanted = [...order, ...key.map((field) => ({ field, descending: false }))]
  return wanted.filter(
    ({ field }, index) => !fields[field].array && wanted.findIndex((other) => other.field === field) === index,
  )
}
