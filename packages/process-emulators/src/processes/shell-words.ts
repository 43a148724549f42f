/** Thrown by {@link shellWords}. The message names the part that cannot be read. */
export class UnreadableWords extends Error {
  override readonly name = 'UnreadableWords'
}

const SPACE = /[ \t\r\n]/

/**
 * Splits a line into words as a POSIX shell does. Blanks separate words. Single quotes keep everything. Double quotes
 * keep all but `\"`, `\\`, `\$`, and a backslash with a backquote. A backslash outside of quotes keeps the next
 * character. Nothing is expanded: `$HOME`, `*`, `~`, `#`, `;` and `|` are plain characters.
 *
 * @throws UnreadableWords for an open quote, a backslash at the end, or a NUL
 */
export function shellWords(line: string): readonly string[] {
  const words: string[] = []
  let word: string | undefined
  let quote: '"' | "'" | undefined
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at)
    if (character === '\0') throw new UnreadableWords('a NUL character')
    if (quote === "'") {
      if (character === "'") quote = undefined
      else word += character
    } else if (character === '\\') {
      const next = line.charAt(at + 1)
      if (next === '') throw new UnreadableWords('a backslash with nothing after it')
      const escapes = quote === undefined || '"\\$`'.includes(next)
      word = (word ?? '') + (escapes ? next : character + next)
      at += 1
    } else if (quote === '"') {
      if (character === '"') quote = undefined
      else word += character
    } else if (character === '"' || character === "'") {
      quote = character
      word ??= ''
    } else if (SPACE.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + character
  }
  if (quote !== undefined) throw new UnreadableWords('a quote that is not closed')
  if (word !== undefined) words.push(word)
  return words
}

/** Quotes words to a line that {@link shellWords} splits into the same words. */
export const shellLine = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ')
