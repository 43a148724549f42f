import { hasMoreValues } from './body-values.ts'

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

/** The most values of a body whose operation sets no other number. */
export const DEFAULT_BODY_VALUES = 10_000

/** A body is not valid JSON, or has too many values. */
export class MalformedBody extends Error {
  override readonly name = 'MalformedBody'
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a body as JSON, regardless of its content type. An empty body or white space is `undefined`; `__proto__` keys
 * are dropped. A value that the host has parsed is returned unchanged.
 *
 * @param mostValues the most values, where lists, objects and their members each count once
 * @throws MalformedBody with the parser's own message, or, before it is parsed, if it has more values
 */
export function parseBody(body: RequestBody, mostValues = DEFAULT_BODY_VALUES): unknown {
  if (body.kind === 'none') return undefined
  if (body.kind === 'parsed') return body.value
  if (hasMoreValues(body.bytes, mostValues)) throw new MalformedBody(`it has more than ${mostValues} values`)
  try {
    const text = decoder.decode(body.bytes)
    if (text.trim() === '') return undefined
    const value: unknown = JSON.parse(text)
    if (mayHavePrototypeKey(text)) dropPrototypeKeys(value)
    return value
  } catch (cause) {
    throw new MalformedBody(cause instanceof Error ? cause.message : 'The body is not valid JSON', { cause })
  }
}

const ESCAPED_PROTOTYPE =
  /(?:_|\\u005[fF]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[fF])(?:t|\\u0074)(?:o|\\u006[fF])(?:_|\\u005[fF]){2}/

const mayHavePrototypeKey = (text: string): boolean =>
  text.includes('__proto__') || (text.includes('\\u00') && ESCAPED_PROTOTYPE.test(text))

/** Removes them after parsing: a reviver of `JSON.parse` takes several times as long. */
function dropPrototypeKeys(value: unknown): void {
  const open = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    if (Object.hasOwn(next, '__proto__')) Reflect.deleteProperty(next, '__proto__')
    for (const member of Object.values(next)) if (typeof member === 'object' && member !== null) open.push(member)
  }
}
