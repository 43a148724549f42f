import { err, ok, type Result } from 'neverthrow'

/** What a startup script or an initial configuration may have, once names stand in it. */
const TEXT_LIMIT = 2 ** 20

export interface TextTooLong {
  readonly type: 'text-too-long'
  readonly limit: number
}

const tooLong = err({ type: 'text-too-long', limit: TEXT_LIMIT } as const)

const encoder = new TextEncoder()

const withinLimit = (text: string): Result<string, TextTooLong> =>
  encoder.encode(text).length > TEXT_LIMIT ? tooLong : ok(text)

/** Sets the instance's name for every `%h`. */
export function withName(text: string, name: string): Result<string, TextTooLong> {
  const parts = text.split('%h')
  if (text.length + (parts.length - 1) * (name.length - 2) > TEXT_LIMIT) return tooLong
  return withinLimit(parts.join(name))
}

/**
 * Follows a new name: replaces the old one where it stands as a word of its own, so that renaming `PC1` leaves `PC10`
 * alone.
 */
export function withNewName(text: string, before: string, after: string): Result<string, TextTooLong> {
  if (before === '' || before === after) return ok(text)
  let result = ''
  let start = 0
  for (let found = text.indexOf(before); found >= 0; found = text.indexOf(before, found)) {
    const end = found + before.length
    if (isWordPart(text, found - 1, before, 0) || isWordPart(text, end, before, before.length - 1)) {
      found += 1
      continue
    }
    result += text.slice(start, found) + after
    if (result.length > TEXT_LIMIT) return tooLong
    start = end
    found = end
  }
  return withinLimit(result + text.slice(start))
}

const WORD_CHARACTER = /[\p{L}\p{N}_-]/u

/** Whether the character at `index` goes on with the word that the name has at `nameIndex`. */
function isWordPart(text: string, index: number, name: string, nameIndex: number): boolean {
  return WORD_CHARACTER.test(text.charAt(index)) && WORD_CHARACTER.test(name.charAt(nameIndex))
}
