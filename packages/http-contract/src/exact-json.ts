/** A function of `JSON` that not every runtime has, and that TypeScript does not know. */
const rawJson: unknown = Reflect.get(JSON, 'rawJSON')

/**
 * Returns what {@link exactJson} encodes as a bigint does, in less time than one. It is opaque, and the bigint itself where
 * the runtime has no such value.
 */
export const jsonInteger = (value: bigint): unknown => (typeof rawJson === 'function' ? rawJson(String(value)) : value)

/**
 * Encodes a value as `JSON.stringify` does, and bigints as numbers with all of their digits. A value without bigints takes
 * no longer. A `toJSON` of bigints is not used.
 *
 * @param indent the spaces of one level @default everything on one line
 */
export function exactJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent)
  } catch (error) {
    // Nothing else has this error without a bigint, except a cycle, which the second attempt refuses again.
    if (!(error instanceof TypeError)) throw error
    return encodeBigints(value, indent)
  }
}

function encodeBigints(value: unknown, indent: number | undefined): string {
  if (typeof rawJson !== 'function') return encodeMarked(value, indent)
  const raw = (_key: string, one: unknown): unknown => (typeof one === 'bigint' ? jsonInteger(one) : one)
  return JSON.stringify(value, raw, indent)
}

const MARK = '\u{10FFFD}'
/** A bigint. A quote after a backslash is a part of a text, and a text before a colon is a name. */
const MARKED = /(?<!\\)"\u{10FFFD}(-?\d+)"(?!:)/gu
const MARKED_TWICE = /(?<!\\)"\u{10FFFD}(\u{10FFFD}(?:[^"\\]|\\.)*")(?!:)/gu

/** The same without `JSON.rawJSON`: bigints become texts with a mark, and texts that begin with it get it twice. */
export function encodeMarked(value: unknown, indent?: number): string {
  const mark = (_key: string, one: unknown): unknown => {
    if (typeof one === 'bigint') return `${MARK}${one}`
    return typeof one === 'string' && one.startsWith(MARK) ? `${MARK}${one}` : one
  }
  return JSON.stringify(value, mark, indent).replace(MARKED, '$1').replace(MARKED_TWICE, '"$1')
}

/** An integer that a number might round has at least 16 digits, or an exponent. */
const MAY_HAVE_LARGE = /\d{16}|(?:^|[:,[\s])-?\d+(?:\.\d+)?[eE]\+?\d/

/**
 * Parses a JSON text as `JSON.parse` does, and integers beyond 2^53 - 1 as bigints, so that no digit of them is lost. They
 * stay rounded numbers in a runtime whose `JSON.parse` does not give revivers the source of a value. A text without such
 * integers takes no longer.
 */
export function parseExactJson(text: string): unknown {
  return MAY_HAVE_LARGE.test(text) ? JSON.parse(text, exactValue) : JSON.parse(text)
}

/** What a reviver gets as its third argument, which TypeScript does not know. */
interface ReviverContext {
  readonly source?: string
}

function exactValue(_key: string, value: unknown, context?: ReviverContext): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || context?.source === undefined) return value
  return exactInteger(context.source) ?? value
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** The most digits of an integer, beyond those of every number. Bigints with many more take long to create. */
const MOST_DIGITS = 1000

/** Returns the integer of a JSON number, also of `1e18`. `undefined` where it is not an integer, or has more digits. */
function exactInteger(source: string): bigint | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(source) ?? []
  const zeros = Number(exponent) - fraction.length
  const digits = `${whole}${fraction}`
  if (digits === '' || digits.length + Math.max(0, zeros) > MOST_DIGITS) return undefined
  if (zeros >= 0) return BigInt(`${sign}${digits}${'0'.repeat(zeros)}`)
  return /^0*$/.test(digits.slice(zeros)) ? BigInt(`${sign}${digits.slice(0, zeros)}`) : undefined
}
