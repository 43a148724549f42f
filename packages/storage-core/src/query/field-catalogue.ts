/** The type of a field, which determines how filters on it are parsed and compared. Dates are epoch milliseconds. */
export type FieldType = 'string' | 'enum' | 'uuid' | 'integer' | 'date' | 'boolean'

/** One value of a field. Dates and integers are numbers; integers beyond 2^53 - 1 are bigints. */
export type FieldValue = string | number | bigint | boolean

/** A field that queries and orders may name, and how it is read from an entity. */
export interface Field<Entity> {
  readonly type: FieldType
  /**
   * Whether the field has any number of values. It is unset when it has none. A condition holds when any value matches,
   * a negated condition when the field is set and no value matches.
   */
  readonly array?: true
  /** The values of an enum. */
  readonly values?: readonly string[]
  /** Returns the value, `undefined` when it is unset, or every value of an array field. */
  readonly read: (entity: Entity) => FieldValue | readonly FieldValue[] | undefined
}

/**
 * The fields of one kind of record by their names in the domain. A repository may store them in any form that gives the
 * same answers as {@link pageInMemory}.
 */
export interface FieldCatalogue<Entity, Name extends string> {
  readonly fields: Readonly<Record<Name, Field<Entity>>>
  /** The fields that identify a record. They end every order, so that every order is total. They are always set. */
  readonly key: readonly Name[]
}

/** Defines a catalogue. Called twice, because the entity is given and the names are inferred from the fields. */
export const defineFields =
  <Entity>() =>
  <Name extends string>(
    fields: Readonly<Record<Name, Field<Entity>>>,
    key: readonly NoInfer<Name>[],
  ): FieldCatalogue<Entity, Name> => ({ fields, key })
