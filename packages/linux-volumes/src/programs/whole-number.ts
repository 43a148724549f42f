import { type Size, sizeOf } from '@trivium/storage-core/ports'

/**
 * Parses a whole number of digits alone. Returns `undefined` for any other text, and for numbers that are not exact
 * here.
 */
export function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,16}$/.test(text)) return undefined
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : undefined
}

/** Parses a whole number of 64 bits, exactly. Returns `undefined` for any other text. */
export const wholeSize = (text: string | undefined): Size | undefined =>
  text !== undefined && /^\d{1,20}$/.test(text) ? sizeOf(text) : undefined
