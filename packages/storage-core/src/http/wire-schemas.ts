import * as v from 'valibot'
import { parseSize } from '../query/parse-size.ts'
import { parseBoolean } from '../query/parse-value.ts'
import { MAXIMUM_GRACE_SECONDS } from '../quota-rules/check-notifications.ts'
import { MAXIMUM_SIZE, type Size, toSize } from '../sizes/size.ts'
import { codes } from './errors/error-codes.ts'
import { checkWithCode } from './errors/input-failure.ts'
import { parseDuration } from './tokens/duration.ts'

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

type SizeInput = string | Size | null

/** The texts of a limit that remove it. */
const noLimit: ReadonlySet<SizeInput> = new Set([null, '', '-', '-1'])

const isSizeText = (value: string): boolean => parseSize(value) !== 'invalid'

/** A number of the body is exact: its parser reads larger integers as bigints where the runtime allows that. */
const isExact = checkWithCode(
  codes.outOfRange,
  (value: SizeInput): boolean => typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value),
)

const isInRange = checkWithCode(codes.outOfRange, (value: SizeInput): boolean => {
  if (typeof value === 'bigint') return value <= MAXIMUM_SIZE && value >= -MAXIMUM_SIZE
  return typeof value === 'string' ? parseSize(value) !== 'too-large' : value !== Number.POSITIVE_INFINITY
})

const NOT_EXACT = 'A number above 9007199254740991 is not exact here: send it as a text.'
const OUT_OF_RANGE = `The value is out of range: at most ${MAXIMUM_SIZE} is allowed.`

function toInteger(value: string | Size): Size {
  const size = typeof value === 'string' ? parseSize(value) : toSize(value)
  return typeof size === 'string' ? Number.NaN : size
}

const isInteger = (value: Size | null): boolean =>
  value === null || typeof value === 'bigint' || Number.isInteger(value)

/** A size of a record. */
export const sizeInAnswer: v.GenericSchema<number | bigint> = v.union([v.number(), v.bigint()])

/** An integer, or a text with a unit such as `40M` or `16TB`. Above 2^63 - 1 it is refused, never rounded. */
export const size = v.pipe(
  v.union([
    v.number(),
    v.bigint(),
    v.pipe(v.string(), v.check(isSizeText, 'an integer or a size such as 16MB is expected.')),
  ]),
  v.check<string | Size, string>(isExact, NOT_EXACT),
  v.check<string | Size, string>(isInRange, OUT_OF_RANGE),
  v.transform(toInteger),
  v.check<Size, string>(isInteger, 'an integer is expected.'),
  v.description('An integer, or a text with a unit such as 40M or 16TB (powers of 1,024).'),
)

/** A limit. `-1`, `"-"`, an empty text and null mean no limit. */
export const limit = v.pipe(
  v.union([
    v.null(),
    v.pipe(
      v.string(),
      v.check((text) => noLimit.has(text) || isSizeText(text), 'an integer or a size such as 16MB is expected.'),
    ),
    v.number(),
    v.bigint(),
  ]),
  v.check(isExact, NOT_EXACT),
  v.check(isInRange, OUT_OF_RANGE),
  v.transform((value) => (value === null || noLimit.has(value) ? null : toInteger(value))),
  v.check(isInteger, 'an integer is expected.'),
  v.description('An integer, or a text with or without a unit. -1 or "-" for no limit.'),
)

const noPeriod: ReadonlySet<string> = new Set(['', '-'])

/** A grace period. `"-"`, an empty text and null mean none. */
export const gracePeriod = v.pipe(
  v.union([
    v.null(),
    v.number(),
    v.pipe(
      v.string(),
      v.check(
        (text) => noPeriod.has(text) || parseDuration(text) !== undefined,
        'a number of seconds or a duration such as P7D is expected.',
      ),
    ),
  ]),
  v.transform((value) => {
    if (value === null || typeof value === 'number') return value
    return noPeriod.has(value) ? null : (parseDuration(value) ?? 0)
  }),
  v.nullable(
    v.pipe(
      v.number(),
      v.check(
        (seconds) => Number.isInteger(seconds) && seconds >= 1 && seconds <= MAXIMUM_GRACE_SECONDS,
        `from 1 to ${MAXIMUM_GRACE_SECONDS} seconds are allowed.`,
      ),
    ),
  ),
  v.description('In seconds, as a number or a text, or an ISO 8601 duration such as P7D. "-" or null for none.'),
)

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
