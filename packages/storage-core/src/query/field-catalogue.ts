/** What a field holds, which decides how a query on it is read and compared. Dates are epoch milliseconds. */
export type FieldType = 'string' | 'enum' | 'uuid' | 'integer' | 'date' | 'boolean'

/** One value of a field. Dates and integers are numbers. */
export type FieldValue = string | number | boolean

/** One field that queries and orders may name, and where an entity keeps it. */
export interface Field<Entity> {
  readonly type: FieldType
  /**
   * The field has any number of values. It is unset when it has none; a condition holds when any value fits, and a
   * negated one when the field is set and no value fits.
   */
  readonly array?: true
  /** The values of an enum. */
  readonly values?: readonly string[]
  /** The value, `undefined` where it is unset, or every value of an array field. */
  readonly read: (entity: Entity) => FieldValue | readonly FieldValue[] | undefined
}

/**
 * The fields of one kind of record by their names in the domain. A repository may keep them as it likes, as long as its
 * answers equal those of {@link pageInMemory}.
 */
export interface FieldCatalogue<Entity, Name extends string> {
  readonly fields: Readonly<Record<Name, Field<Entity>>>
  /** The fields that tell two records apart. They end every order, so that every order is total. None is ever unset. */
  readonly key: readonly Name[]
}

/** Called twice, because the entity is given and the names are inferred from the fields. */
export const defineFields =
  <Entity>() =>
  <Name extends string>(
    fields: Readonly<Record<Name, Field<Entity>>>,
    key: readonly NoInfer<Name>[],
  ): FieldCatalogue<Entity, Name> => ({ fields, key })
