import type { FieldValue } from './field-catalogue.ts'

/**
 * Compares two values of one type: numbers by size, `false` before `true`, text by code point in every locale.
 *
 * @returns a negative number, 0 or a positive number, as `sort` expects it
 */
export function compareValues(left: FieldValue, right: FieldValue): number {
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right)
  return left < right ? -1 : left > right ? 1 : 0
}

/** Compares by code point, which is the order of UTF-8 bytes. JavaScript compares UTF-16 units. */
function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index += 1) {
    const a = left.charCodeAt(index)
    const b = right.charCodeAt(index)
    if (a !== b) return rank(a) - rank(b)
  }
  return left.length - right.length
}

/** Surrogates encode the code points above U+FFFF, so they are moved after U+FFFF. */
const rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800)
