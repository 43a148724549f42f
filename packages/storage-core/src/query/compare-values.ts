import type { FieldValue } from './field-catalogue.ts'

/** Orders two values of one type: numbers by size, booleans false first, text by code point whatever the locale. */
export function compareValues(left: FieldValue, right: FieldValue): number {
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right)
  return left < right ? -1 : left > right ? 1 : 0
}

/** Orders by code point, as UTF-8 bytes do; JavaScript's own comparison differs beyond U+FFFF. */
function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index += 1) {
    const a = left.charCodeAt(index)
    const b = right.charCodeAt(index)
    if (a !== b) return rank(a) - rank(b)
  }
  return left.length - right.length
}

/** Surrogates stand for the code points past every other unit, so they move behind U+FFFF. */
const rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800)
