import * as v from 'valibot'

export const within = (least: number, most: number) =>
  v.pipe(v.number(), v.minValue(least, `must be at least ${least}`), v.maxValue(most, `must be at most ${most}`))

export const wholeWithin = (least: number, most: number) =>
  v.pipe(within(least, most), v.integer('must be a whole number'))

/** `null` stands for what is absent. */
export const maybe = <Schema extends v.GenericSchema>(schema: Schema) => v.exactOptional(v.nullable(schema))
