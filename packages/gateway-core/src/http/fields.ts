import * as v from 'valibot'

/** Makes a field optional. `null` means that it is absent. */
export const maybe = <Schema extends v.GenericSchema>(schema: Schema) => v.exactOptional(v.nullable(schema))

/** A list of at most `most` items. */
export const listOf = <Schema extends v.GenericSchema>(schema: Schema, most: number) =>
  v.pipe(v.array(schema), v.maxLength(most, `must have at most ${most} items`))

/** An object with at most `most` entries of any names. The limit of values in a body bounds nested values. */
export const recordOf = <Schema extends v.GenericSchema>(schema: Schema, most: number) =>
  v.pipe(v.record(v.string(), schema), v.maxEntries(most, `must have at most ${most} entries`))
