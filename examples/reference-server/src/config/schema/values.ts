import * as v from 'valibot'
import { plainObject } from './section.ts'

/** Text that is not empty. */
export const text = v.pipe(
  v.string('must be text'),
  v.nonEmpty('must not be empty'),
  v.maxLength(10_000, 'must have at most 10000 characters'),
)

/** A value of a header: Latin-1, in one line. */
export const headerValue = v.pipe(
  text,
  v.regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must have only characters of a header, in one line'),
)

/** Headers that belong to the connection. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
])

export const headerName = v.pipe(
  text,
  v.regex(/^[!#$%&'*+.^_`|~\w-]+$/, 'must be the name of a header'),
  v.check((name) => !ofConnection.has(name.toLowerCase()), 'is a header that the connection sets'),
)

/** The id of a model, an alias or a pattern of them. */
export const modelName = v.pipe(
  v.string('must be the id of a model'),
  v.nonEmpty('must not be empty'),
  v.maxLength(512, 'must have at most 512 characters'),
)

/** A name that begins the ids of models, or that requests select an engine by. */
export const shortId = v.pipe(
  v.string('must be text'),
  v.regex(/^[a-z0-9][a-z0-9._-]{0,63}$/i, 'must have 1 to 64 letters, digits and . _ -'),
)

export const httpUrl = v.pipe(
  v.string('must be an http or https URL'),
  v.check((url) => URL.canParse(url) && /^https?:\/\//.test(url), 'must be an http or https URL'),
)

export const flag = v.boolean('must be true or false')

export const within = (least: number, most: number) =>
  v.pipe(
    v.number('must be a number'),
    v.minValue(least, `must be from ${least} to ${most}`),
    v.maxValue(most, `must be from ${least} to ${most}`),
  )

export const whole = (least: number, most: number) =>
  v.pipe(
    v.number('must be a whole number'),
    v.integer('must be a whole number'),
    v.minValue(least, `must be from ${least} to ${most}`),
    v.maxValue(most, `must be from ${least} to ${most}`),
  )

export const oneOf = <const Options extends readonly string[]>(options: Options) =>
  v.picklist(options, `must be ${options.slice(0, -1).join(', ')} or ${options.at(-1)}`)

/** Lists and objects are counted before their entries are checked. */
const list = v.custom<readonly unknown[]>(Array.isArray, 'must be a list')

// The JSON Schema takes the limit from its second place.
export function listOf<const Item extends v.GenericSchema>(item: Item, most: number) {
  const message = `must have at most ${most} entries`
  return v.pipe(list, v.maxLength(most, message), v.array(item), v.maxLength(most, message))
}

export function namedBy<const Key extends v.GenericSchema<string, string>, const Value extends v.GenericSchema>(
  key: Key,
  value: Value,
  most: number,
) {
  const message = `must have at most ${most} entries`
  return v.pipe(plainObject, v.maxEntries(most, message), v.record(key, value), v.maxEntries(most, message))
}

/** JSON that is passed on as it is. */
export const anyJson = v.unknown()

const NO_AMOUNT =
  'must be an amount of dollars from 0 to below 9000000 with at most 9 decimals, in quotes below 0.000001'

/** An amount of US dollars. */
export const dollars = v.pipe(
  v.union([v.number(), v.string()], NO_AMOUNT),
  v.check((amount) => /^[0-8]?\d{1,6}(?:\.\d{1,9})?$/.test(String(amount)), NO_AMOUNT),
)
