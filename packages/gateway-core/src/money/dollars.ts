import type { Tagged } from 'type-fest'

/** An amount of US dollars in billionths: a whole number from 0 to `Number.MAX_SAFE_INTEGER`, which is about 9 million dollars. */
export type Nanodollars = Tagged<number, 'Nanodollars'>

const DIGITS = 9
const DECIMAL = /^(\d{1,8})(?:\.(\d{1,9}))?$/

/** The largest amount. */
export const MAX_NANODOLLARS = Number.MAX_SAFE_INTEGER as Nanodollars // a whole number

/** No money. */
export const NO_DOLLARS = 0 as Nanodollars // a whole number

/**
 * Reads an amount such as `12`, `0.5` or `'1.25'`, exactly. A number is read by its shortest decimal text.
 *
 * @returns `undefined` for a negative amount, more than 9 decimals, a text with an exponent, or more than {@link MAX_NANODOLLARS}
 */
export function parseDollars(amount: string | number): Nanodollars | undefined {
  const [, whole, decimals = ''] = DECIMAL.exec(decimalOf(amount)) ?? []
  if (whole === undefined) return undefined
  const billionths = Number(whole + decimals.padEnd(DIGITS, '0'))
  return Number.isSafeInteger(billionths) ? (billionths as Nanodollars) : undefined // checked
}

/** Returns the decimal of an amount, also that of a number whose shortest text has an exponent, such as `1e-7`. */
export function decimalOf(amount: string | number): string {
  const [, first = '', others = '', places] = (typeof amount === 'number' && SMALL.exec(String(amount))) || []
  return places === undefined ? String(amount) : `0.${'0'.repeat(Number(places) - 1)}${first}${others}`
}

/** A number below 1e-6, as JavaScript writes it. */
const SMALL = /^(\d)(?:\.(\d+))?e-(\d{1,3})$/

/** Formats an amount, or a sum of amounts, as a decimal without trailing zeros: `0`, `1.25`, `0.000000001`. */
export function formatDollars(amount: Nanodollars | bigint): string {
  const digits = String(amount).padStart(DIGITS + 1, '0')
  const decimals = digits.slice(-DIGITS).replace(/0+$/, '')
  return decimals === '' ? digits.slice(0, -DIGITS) : `${digits.slice(0, -DIGITS)}.${decimals}`
}

/** Adds amounts. The sum is at most {@link MAX_NANODOLLARS}. */
export const addDollars = (one: Nanodollars, other: Nanodollars): Nanodollars =>
  Math.min(one + other, MAX_NANODOLLARS) as Nanodollars // a whole number

/** Multiplies an amount. The product is at most {@link MAX_NANODOLLARS}. @param times a whole number */
export const timesDollars = (amount: Nanodollars, times: number): Nanodollars =>
  Math.min(amount * times, MAX_NANODOLLARS) as Nanodollars // a whole number
