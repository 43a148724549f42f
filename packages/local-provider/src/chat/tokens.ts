/**
 * Splits a text into tokens. A word with the white space before it is one token, so that the joined tokens are the
 * text.
 */
export const tokensOf = (text: string): readonly string[] => text.match(/\s*\S+|\s+$/g) ?? []

/** Counts tokens without a list of them, because texts can be as long as a request. */
export function countTokens(text: string): number {
  let words = 0
  let isInWord = false
  for (let index = 0; index < text.length; index += 1) {
    const isSpace = isWhiteSpace(text.charCodeAt(index))
    if (!isSpace && !isInWord) words += 1
    isInWord = !isSpace
  }
  return isInWord || text === '' ? words : words + 1
}

/** Whether `\s` matches a character. Faster than a pattern for each character. */
function isWhiteSpace(code: number): boolean {
  if (code < 0xa0) return code === 0x20 || (code >= 0x09 && code <= 0x0d)
  if (code < 0x2000) return code === 0xa0 || code === 0x1680
  if (code <= 0x205f) return code <= 0x200a || code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f
  return code === 0x3000 || code === 0xfeff
}
