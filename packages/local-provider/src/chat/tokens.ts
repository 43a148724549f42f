/**
 * Splits a text into tokens. A word with the white space before it is one token, so that the joined tokens are the
 * text.
 */
export const tokensOf = (text: string): readonly string[] => text.match(/\s*\S+|\s+$/g) ?? []

/** The characters that are counted. The tokens of further ones are taken in proportion. */
const MOST_COUNTED = 2 ** 20

/** Counts tokens without a list of them, because texts can be as long as a request. Longer than 1 MiB, it estimates. */
export const countTokens = (text: string): number => countAllTokens([text])

/** Counts the tokens of several texts as {@link countTokens} those of one. */
export function countAllTokens(texts: readonly string[]): number {
  const total = texts.reduce((sum, { length }) => sum + length, 0)
  let characters = 0
  let tokens = 0
  for (const text of texts) {
    if (characters >= MOST_COUNTED) break
    const counted = text.slice(0, MOST_COUNTED - characters)
    characters += counted.length
    tokens += countedIn(counted)
  }
  return characters < total ? Math.ceil((tokens / characters) * total) : tokens
}

function countedIn(text: string): number {
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
