import { err, ok, type Result } from 'neverthrow'

/** The most bytes of a startup script or an initial configuration, after names are inserted. */
const TEXT_LIMIT = 2 ** 20

export interface TextTooLong {
  readonly type: 'text-too-long'
  readonly limit: number
}

const tooLong = err({ type: 'text-too-long', limit: TEXT_LIMIT } as const)

const encoder = new TextEncoder()

const withinLimit = (text: string): Result<string, TextTooLong> =>
  encoder.encode(text).length > TEXT_LIMIT ? tooLong : ok(text)

/** Replaces every `%h` by the name of the instance. */
export function withName(text: string, name: string): Result<string, TextTooLong> {
  const parts = text.split('%h')
  if (text.length + (parts.length - 1) * (name.length - 2) > TEXT_LIMIT) return tooLong
  return withinLimit(parts.join(name))
}

/**
 * Replaces the old name of an instance by the new one where it is a whole word. Renaming `PC1` does not change `PC10`.
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

/** Whether the character at `index` belongs to the same word as the character of the name at `nameIndex`. */
function isWordPart(text: string, index: number, name: string, nameIndex: number): boolean {
  return WORD_CHARACTER.test(text.charAt(index)) && WORD_CHARACTER.test(name.charAt(nameIndex))
}
