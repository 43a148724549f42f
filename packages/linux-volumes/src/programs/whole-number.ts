import { isSize, type Size, sizeOf } from '@trivium/storage-core/ports'

/**
 * Parses a whole number of digits alone. Returns `undefined` for any other text, and for numbers that are not exact
 * here.
 */
export function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,16}$/.test(text)) return undefined
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : undefined
}

/** Parses a limit of at most 2^63 - 1 exactly. Returns `undefined` for any other text. */
export function wholeSize(text: string | undefined): Size | undefined {
  if (text === undefined || !/^\d{1,19}$/.test(text)) return undefined
  const size = sizeOf(text)
  return isSize(size) ? size : undefined
}
