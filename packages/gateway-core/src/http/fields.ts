import * as v from 'valibot'

/**
 * What a schema accepts and returns, without how it checks. An interface that extends it is a name for the schema: one
 * without a name is written out in the declarations of every other one, and of every operation, that contains it.
 */
export interface SchemaOf<Schema extends v.GenericSchema>
  extends v.GenericSchema<v.InferInput<Schema>, v.InferOutput<Schema>> {}

/** Makes a field optional. `null` means that it is absent. */
export const maybe = <Schema extends v.GenericSchema>(schema: Schema) => v.exactOptional(v.nullable(schema))

export interface ListOf<Item extends v.GenericSchema>
  extends v.GenericSchema<v.InferInput<Item>[], v.InferOutput<Item>[]> {}

/** A list of at most `most` items. */
export const listOf = <Item extends v.GenericSchema>(item: Item, most: number): ListOf<Item> =>
  v.pipe(v.array(item), v.maxLength(most, `must have at most ${most} items`))

export interface RecordOf<Value extends v.GenericSchema>
  extends v.GenericSchema<Record<string, v.InferInput<Value>>, Record<string, v.InferOutput<Value>>> {}

/** An object with at most `most` entries of any names. The limit of values in a body bounds nested values. */
export const recordOf = <Value extends v.GenericSchema>(value: Value, most: number): RecordOf<Value> =>
  v.pipe(v.record(v.string(), value), v.maxEntries(most, `must have at most ${most} entries`))
