import * as v from 'valibot'

export const wholeWithin = (least: number, most: number) =>
  v.pipe(
    v.number(),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
    v.integer('must be a whole number'),
  )

/** A number of bytes, whose sign and greatest value its operation decides about. */
export const wholeNumber = v.union([
  v.bigint(),
  v.pipe(v.number(), v.safeInteger('must be a whole number from -2^53 + 1 to 2^53 - 1, or a bigint')),
])

/** A number that identifies a record. Unknown ones are not found. */
export const ordinal = v.pipe(v.number(), v.integer('must be a whole number'))

/** The id of a user of the host, which stores keep. */
export const userId = v.pipe(
  v.string(),
  v.minLength(1, 'must have at least 1 character'),
  v.maxLength(128, 'must have at most 128 characters'),
)

/** An id or a name of any text. Unknown ones are not found. */
export const identifier = v.string()
