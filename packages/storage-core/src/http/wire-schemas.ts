import * as v from 'valibot'
import { parseSize } from '../query/parse-size.ts'
import { parseBoolean } from '../query/parse-value.ts'
import { codes } from './errors/error-codes.ts'
import { checkWithCode } from './errors/input-failure.ts'

/** A named interface, because the type of the contract is otherwise too long to declare. */
export interface LinksSchema
  extends v.GenericSchema<{
    readonly self?: { readonly href: string } | undefined
    readonly next?: { readonly href: string } | undefined
  }> {}

/** A client that requests no links still gets that of the next page. */
export const links: LinksSchema = v.partial(
  v.object({ self: v.object({ href: v.string() }), next: v.object({ href: v.string() }) }),
)

/** Like every object in a record, it has only the requested fields. */
export const reference = v.partial(v.object({ uuid: v.string(), name: v.string(), _links: links }))

/** A job in the answer to the request that began it. */
export const jobLink = v.object({ uuid: v.string(), _links: v.optional(links) })

/** The answer of a list. `return_records=false` leaves out the records. */
export const listOf = <Schema extends v.GenericSchema>(record: Schema) =>
  v.object({ records: v.optional(v.array(record)), num_records: v.number(), _links: v.optional(links) })

/** The answer of a request that creates a record. */
export const createdAnswer = <Schema extends v.GenericSchema>(record: Schema) =>
  v.object({ num_records: v.number(), records: v.array(record), job: v.optional(jobLink) })

export const jobAnswer = v.object({ job: v.optional(jobLink) })

export const changedMany = v.object({
  num_records: v.number(),
  jobs: v.optional(v.array(jobLink)),
  _links: v.optional(links),
})

/** A reference by UUID, by name or by both. */
export const named = v.strictObject({ uuid: v.exactOptional(v.string()), name: v.exactOptional(v.string()) })

const isSize = (value: string): boolean => parseSize(value) !== 'invalid'

const isExact = checkWithCode(codes.outOfRange, (value: string | number): boolean =>
  typeof value === 'number'
    ? !Number.isInteger(value) || Number.isSafeInteger(value)
    : parseSize(value) !== 'too-large',
)

function toInteger(value: string | number): number {
  const size = typeof value === 'number' ? value : parseSize(value)
  return typeof size === 'number' ? size : Number.NaN
}

/** An integer, or a text with a unit such as `40M` or `16TB`. Above 2^53 - 1 it is refused, never rounded. */
export const size = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.check(isSize, 'an integer or a size such as 16MB is expected.'))]),
  v.check(isExact, 'The value is out of range: at most 9007199254740991 is allowed.'),
  v.transform(toInteger),
  v.integer('an integer is expected.'),
  v.description('An integer, or a text with a unit such as 40M or 16TB (powers of 1,024).'),
)

/** A limit. `-1`, `"-"`, an empty text and null mean no limit. */
export const limit = v.pipe(
  v.union([
    v.null(),
    v.pipe(
      v.string(),
      v.check((text) => noLimit.has(text) || isSize(text), 'an integer or a size such as 16MB is expected.'),
    ),
    v.number(),
  ]),
  v.check(
    checkWithCode(
      codes.outOfRange,
      (value: string | number | null) =>
        value === null || (typeof value === 'string' && noLimit.has(value)) || isExact(value),
    ),
    'The value is out of range: at most 9007199254740991 is allowed.',
  ),
  v.transform((value) =>
    value === null || (typeof value === 'string' && noLimit.has(value)) ? null : toInteger(value),
  ),
  v.nullable(v.pipe(v.number(), v.integer('an integer is expected.'))),
  v.description('An integer, or a text with or without a unit. -1 or "-" for no limit.'),
)

const noLimit: ReadonlySet<string> = new Set(['', '-', '-1'])

/** A boolean, or one of the texts `on`, `off`, `true` and `false`. */
export const flag = v.pipe(
  v.union([
    v.boolean(),
    v.pipe(
      v.string(),
      v.check((text) => parseBoolean(text) !== undefined, 'true or false is expected.'),
    ),
  ]),
  v.transform((value) => (typeof value === 'boolean' ? value : parseBoolean(value) === true)),
)
