import { escapesIn, hasMoreEscapes, MOST_ESCAPES } from './body-escapes.ts'
import { type Excess, excessInSteps, excessOf, MOST_LONG_NAMES, MOST_MEMBERS, MOST_OUTSIDE } from './body-values.ts'
import { parseExactJson } from './exact-json.ts'
import { withoutLongStrings } from './long-strings.ts'
import { dropPrototypeKeys, mayHavePrototypeKey, PIECE, pieceAt } from './prototype-keys.ts'
import { nextTurn } from './turns.ts'

/** A request's body before it is parsed. */
export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** The host's own parser has parsed it before the mount. */
  | { readonly kind: 'parsed'; readonly value: unknown }

/** The error of a read whose body is larger than its limit, in bytes. The rest is not read. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'
  readonly limit: number

  constructor(limit: number) {
    super(`The request body is larger than ${limit} bytes`)
    this.limit = limit
  }
}

/** The client disconnected while its body was read, so no one receives an answer. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected'

  constructor() {
    super('The client disconnected before its request was complete')
  }
}

/** Why a body is not available, in the words of both sides. */
export interface BodyAdvice {
  /** Follows a colon in the answer, and begins in lower case. */
  readonly client: string
  /** A sentence that names what the host has to do. */
  readonly host: string
}

/** The host has read a body before the mount, and it is not available as it was sent. The message is for the host. */
export class BodyUnavailable extends Error {
  override readonly name = 'BodyUnavailable'
  /** What the client gets as the detail of `Failures.malformed`. */
  readonly detail: string

  constructor({ client, host }: BodyAdvice) {
    super(host)
    this.detail = client
  }
}

/** The advice to a host that has read a body and not passed it on. */
export const consumedBody = (advice: string): BodyAdvice => ({
  client: 'the server has read the body before this service could',
  host: `The body of a request was read before the mount. ${advice}`,
})

/** Options of {@link parseBody}. */
export interface ParseBodyOptions {
  /** The most values, where lists, objects and their members each count once. @default 10,000 */
  readonly mostValues?: number | undefined
  /**
   * `exact` reads an integer that a number would round as a bigint, where the runtime gives a reviver of `JSON.parse` the
   * source of a value. Without effect on a value that the host has parsed.
   *
   * @default 'rounded'
   */
  readonly integers?: 'exact' | 'rounded'
}

/** The most values of a body whose operation sets no other number. */
export const DEFAULT_BODY_VALUES = 10_000

/** A body is not valid JSON, or has too many values. */
export class MalformedBody extends Error {
  override readonly name = 'MalformedBody'
}

/** A body is refused before it is parsed, because it has too many values or other parts that are slow to parse. */
export class ExcessiveBody extends MalformedBody {}

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a body as JSON, regardless of its content type. An empty body or white space is `undefined`; `__proto__` keys
 * are dropped. A value that the host has parsed is returned unchanged.
 *
 * @throws MalformedBody with the parser's own message
 * @throws ExcessiveBody before it is parsed, if it has more values, 30,000 members of objects, 8 MiB outside of its strings, 4,194,304 backslashes
 *   or more than 64 or 2 MiB of names above 16,383 bytes
 */
export function parseBody(
  body: RequestBody,
  { mostValues = DEFAULT_BODY_VALUES, integers = 'rounded' }: ParseBodyOptions = {},
): unknown {
  if (body.kind === 'none') return undefined
  if (body.kind === 'parsed') return body.value
  refuse(excessOf(body.bytes, mostValues), mostValues)
  if (hasMoreEscapes(body.bytes)) throw new ExcessiveBody(TOO_MANY_ESCAPES)
  const text = decoded(body.bytes)
  const value = parsed(text, malformed, integers === 'exact' ? parseExactJson : JSON.parse)
  if (mayHavePrototypeKey(text)) dropPrototypeKeys(value)
  return value
}

/**
 * Parses a body as {@link parseBody} does, a large one in several turns of the event loop, and resolves in a turn of its
 * own.
 *
 * @throws MalformedBody as {@link parseBody} does
 * @throws ExcessiveBody as {@link parseBody} does
 */
export async function parseInTurns(body: RequestBody, mostValues = DEFAULT_BODY_VALUES): Promise<unknown> {
  if (body.kind !== 'bytes' || !isLargeBody(body)) return parseBody(body, { mostValues })
  const { bytes } = body
  await nextTurn()
  const steps = excessInSteps(bytes, mostValues)
  let step = steps.next()
  for (; !step.done; step = steps.next()) await nextTurn()
  refuse(step.value, mostValues)
  let escapes = 0
  for (let from = 0; from < bytes.length; from += PIECE) {
    await nextTurn()
    escapes += escapesIn(bytes.subarray(from, from + PIECE))
    if (escapes > MOST_ESCAPES) throw new ExcessiveBody(TOO_MANY_ESCAPES)
  }
  await nextTurn()
  const { text, restore } = await withoutLongStrings(bytes).catch((cause: unknown) => {
    throw malformedLarge(cause)
  })
  await nextTurn()
  const value = restore(parsed(text, malformedLarge))
  let hasKey = false
  for (let from = 0; from < text.length && !hasKey; from += PIECE) {
    await nextTurn()
    hasKey = mayHavePrototypeKey(pieceAt(text, from))
  }
  if (hasKey) {
    await nextTurn()
    dropPrototypeKeys(value)
  }
  await nextTurn()
  return value
}

/** The bytes above which a body is parsed in several turns. */
const LARGE_BYTES = 2 ** 21

/** Whether a body takes several turns of the event loop to parse. */
export const isLargeBody = (body: RequestBody): boolean => hasMoreBytes(body, LARGE_BYTES)

/** The bytes above which a body is handled in a turn after that of its check, because both take long for many values. */
const BYTES_OF_A_TURN = 2 ** 18

/** Whether a body is parsed and checked in other turns of the event loop than it is handled in. */
export const isCheckedApart = (body: RequestBody): boolean => hasMoreBytes(body, BYTES_OF_A_TURN)

const hasMoreBytes = (body: RequestBody, bytes: number): boolean => body.kind === 'bytes' && body.bytes.length > bytes

const TOO_MANY_ESCAPES = `it has more than ${MOST_ESCAPES} backslashes`

function refuse(excess: Excess | undefined, mostValues: number): void {
  if (excess === 'values') throw new ExcessiveBody(`it has too many values, more than ${mostValues}`)
  if (excess === 'members') throw new ExcessiveBody(`it has too many members of objects, more than ${MOST_MEMBERS}`)
  if (excess === 'long names')
    throw new ExcessiveBody(`it has more than ${MOST_LONG_NAMES} names above 16,383 bytes, or more than 2 MiB of them`)
  if (excess !== undefined) throw new ExcessiveBody(`it has more than ${MOST_OUTSIDE} bytes outside of its strings`)
}

function decoded(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    throw malformed(cause)
  }
}

/** White space alone is `undefined`. */
function parsed(text: string, toError = malformed, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return text.trim() === '' ? undefined : parse(text)
  } catch (cause) {
    throw toError(cause)
  }
}

const malformed = (cause: unknown): MalformedBody =>
  new MalformedBody(cause instanceof Error ? cause.message : 'The body is not valid JSON', { cause })

/** Without the position, which is one of the text without its long strings. */
const malformedLarge = (cause: unknown): MalformedBody =>
  new MalformedBody(malformed(cause).message.replace(/ at position .*$/s, ''), { cause })
