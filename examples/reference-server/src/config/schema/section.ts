import * as v from 'valibot'
import { suggestion } from '../nearest-name.ts'
import type { Mistake } from '../read/mistakes.ts'

const UNKNOWN_KEY = 'is not a key of this section'

/** Valibot takes lists for objects. */
export const plainObject = v.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
)

/** An object of the file, whose keys are all known. */
export const section = <const Entries extends v.ObjectEntries>(entries: Entries) => v.pipe(plainObject, choice(entries))

/** An object that is one of several, by its kind. */
export function choice<const Entries extends v.ObjectEntries>(entries: Entries) {
  const keys = Object.keys(entries)
  return v.strictObject(entries, (issue) => {
    if (issue.expected === 'never') {
      knownKeys.set(issue, keys)
      return UNKNOWN_KEY
    }
    return issue.received === 'undefined' ? 'is missing' : 'must be an object'
  })
}

/** The keys of objects that have unknown ones. */
const knownKeys = new WeakMap<object, readonly string[]>()

/** Returns the keys of an object, where the issue is that it has an unknown one. */
export const knownKeysOf = (issue: object): readonly string[] | undefined => knownKeys.get(issue)

/** Describes a key that does not exist, and in detail the nearest one that does. */
export const unknownKey = (
  key: string,
  known: readonly string[],
  message = UNKNOWN_KEY,
): Pick<Mistake, 'message' | 'inDetail'> =>
  // YAML 1.1 reads and writes a plain on as true.
  key === 'true' && known.includes('on')
    ? { message: `${message}. Where 'on' is meant, quote it` }
    : { message, inDetail: () => `${message}${suggestion(key, known)}` }

/** Adds the description of a key, which editors show. */
export const described = <const Schema extends v.GenericSchema>(description: string, schema: Schema) =>
  v.pipe(schema, v.description(description))

/** An optional key with its description. */
export const optional = <const Schema extends v.GenericSchema>(description: string, schema: Schema) =>
  v.exactOptional(described(description, schema))
