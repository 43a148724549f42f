import * as v from 'valibot'
import { isPlainName } from './projects/plain-name.ts'

/** The least and the greatest value of a field. */
export type Bounds = readonly [least: number, most: number]

/** Ports of TCP and UDP, and those of a switch. */
export const portBounds = [1, 65_535] as const satisfies Bounds

/** The most characters of a path. Most file systems refuse longer ones. */
export const MAX_PATH = 4096

/** The most characters of the arguments of a program. */
export const MAX_ARGUMENTS = 16_384

/** The most characters of the name of a device, or of the model of an adapter. */
export const MAX_DEVICE = 64

/** The most characters of the name of a host. */
export const MAX_HOST = 255

export const within = (least: number, most: number) =>
  v.pipe(v.number(), v.minValue(least, `must be at least ${least}`), v.maxValue(most, `must be at most ${most}`))

export const wholeWithin = (least: number, most: number) =>
  v.pipe(within(least, most), v.integer('must be a whole number'))

export const portSchema = wholeWithin(...portBounds)

/** A text of one line, possibly empty. */
export const lineWithin = (longest: number) =>
  v.pipe(
    v.string(),
    v.maxLength(longest, `must have at most ${longest} characters`),
    v.check((text) => !/\p{Cc}/u.test(text), 'must have no control characters'),
  )

/** A text of one line that is not empty. */
export const nonEmptyLineWithin = (longest: number) => v.pipe(lineWithin(longest), v.minLength(1, 'must not be empty'))

export const plainNameSchema = v.pipe(
  v.string(),
  v.check(isPlainName, 'must be a file name of 1 to 255 bytes without slashes'),
)

export const UUID_PATTERN = /^[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{12}$/

/** The id of a new project or instance, which names its directory. */
export const newIdSchema = v.pipe(v.string(), v.regex(UUID_PATTERN, 'must be a UUID'))
