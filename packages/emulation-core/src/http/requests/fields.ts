import * as v from 'valibot'
import { portBounds, UUID_PATTERN } from '../../bounds.ts'
import { isPlainName } from '../../ports.ts'
import { describeValue } from '../errors/describe-value.ts'

// Schemas of request fields, with the error messages of the original server.

export interface Received {
  readonly input: unknown
}

const notOfType = (type: string) => (issue: Received) => `${describeValue(issue.input)} is not of type '${type}'`
const tooShort = (issue: Received) => `${describeValue(issue.input)} is too short`
const tooLong = (issue: Received) => `${describeValue(issue.input)} is too long`

export const integer = (minimum: number, maximum: number) =>
  v.pipe(
    v.number(notOfType('integer')),
    v.integer(notOfType('integer')),
    v.minValue(minimum, (issue) => `${issue.input} is less than the minimum of ${minimum}`),
    v.maxValue(maximum, (issue) => `${issue.input} is greater than the maximum of ${maximum}`),
  )

export const number = (minimum: number, maximum: number) =>
  v.pipe(
    v.number(notOfType('number')),
    v.minValue(minimum, (issue) => `${issue.input} is less than the minimum of ${minimum}`),
    v.maxValue(maximum, (issue) => `${issue.input} is greater than the maximum of ${maximum}`),
  )

/** A whole number in a response. */
export const whole = v.pipe(v.number(), v.integer())

export const flag = v.boolean(notOfType('boolean'))

/** A text, possibly empty. */
export const text = (longest: number) => v.pipe(v.string(notOfType('string')), v.maxLength(longest, tooLong))

export const nonEmptyText = (longest: number) =>
  v.pipe(v.string(notOfType('string')), v.nonEmpty(tooShort), v.maxLength(longest, tooLong))

const noControls = (value: string) => !/\p{Cc}/u.test(value)

const hasControls = (issue: Received) => `${describeValue(issue.input)} has control characters`

/** A text without control characters, for paths, host names and command lines. */
export const line = (longest: number) => v.pipe(text(longest), v.check(noControls, hasControls))

export const nonEmptyLine = (longest: number) => v.pipe(nonEmptyText(longest), v.check(noControls, hasControls))

/** A name that can be a file name: without slashes and control characters, and not `.` or `..`. */
export const plainName = v.pipe(
  nonEmptyText(255),
  v.check(isPlainName, (issue) => `${describeValue(issue.input)} is not a plain name`),
)

export const oneOf = <const Options extends readonly [string, ...string[]]>(options: Options) =>
  v.picklist(
    options,
    (issue) => `${describeValue(issue.input)} is not one of [${options.map((option) => `'${option}'`).join(', ')}]`,
  )

export const list = <Item extends v.GenericSchema>(item: Item, longest: number) =>
  v.pipe(v.array(item, notOfType('array')), v.maxLength(longest, tooLong))

export const uuid = (what: string) =>
  v.pipe(
    v.string(notOfType('string')),
    v.regex(UUID_PATTERN, (issue) => `${what} ${describeValue(issue.input).replace(/^'|'$/g, '')} is not a valid UUID`),
  )

export const port = integer(...portBounds)

/** An object with these fields and no others. Unlike valibot's `strictObject`, it refuses an array. */
export function fields<const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.StrictObjectSchema<Entries, undefined> {
  const schema = v.strictObject(entries)
  return { ...schema, '~run': (dataset, config) => schema['~run'](withoutArray(dataset), config) }
}

/** An object with these fields. Others are left out. It refuses an array, too. */
export function knownFields<const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.ObjectSchema<Entries, undefined> {
  const schema = v.object(entries)
  return { ...schema, '~run': (dataset, config) => schema['~run'](withoutArray(dataset), config) }
}

const withoutArray = (dataset: v.UnknownDataset): v.UnknownDataset =>
  Array.isArray(dataset.value) ? { value: describeValue(dataset.value) } : dataset

type WithoutNullish<Fields> = { readonly [Name in keyof Fields]?: NonNullable<Fields[Name]> }

/** Leaves out fields that are undefined or null. */
export const withoutNullish = <Fields extends object>(values: Fields): WithoutNullish<Fields> =>
  // The filter has removed null and undefined.
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  ) as WithoutNullish<Fields>
