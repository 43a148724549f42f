import * as v from 'valibot'

export const within = (least: number, most: number): v.GenericSchema<number> =>
  v.pipe(v.number(), v.minValue(least, `must be at least ${least}`), v.maxValue(most, `must be at most ${most}`))

export const wholeWithin = (least: number, most: number): v.GenericSchema<number> =>
  v.pipe(within(least, most), v.integer('must be a whole number'))

/** A whole number in a query. */
export function wholeTextWithin(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`
  return v.pipe(
    v.string(),
    v.regex(/^\d{1,15}$/, message),
    v.transform(Number),
    v.minValue(least, message),
    v.maxValue(most, message),
  )
}

/** Refuses control characters, because names are printed in logs and lists, and some databases refuse them. */
export const printable = v.regex<string, string>(/^[^\p{Cc}\p{Cs}]*$/u, 'must have no control characters')

/**
 * A name of 1 to `most` characters by which people recognize each other. It has one form (NFKC) and no invisible
 * characters, so that none looks like another one by these.
 */
export const nameWithin = (most: number): v.GenericSchema<string> =>
  v.pipe(
    textWithin(most),
    v.regex(/^\P{Cf}*$/u, 'must have no invisible characters'),
    v.check((text) => text.normalize('NFKC') === text, 'must be in the normal form NFKC'),
  )

/** Converts a name to the form that {@link nameWithin} requires, where it is not too long. */
export const normalName = (most: number): v.GenericSchema<string, string> =>
  v.pipe(
    v.string(),
    v.transform((text) => (text.length > 2 * most ? text : text.normalize('NFKC').trim())),
    nameWithin(most),
  )

/** A text of 1 to `most` characters, without control characters. */
export const textWithin = (most: number): v.GenericSchema<string> =>
  v.pipe(
    v.string(),
    v.minLength(1, 'must not be empty'),
    v.maxLength(most, `must have at most ${most} characters`),
    printable,
  )
