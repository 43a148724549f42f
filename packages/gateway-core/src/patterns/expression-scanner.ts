import { RE2JS } from 're2js'
import { CONTEXT, type PatternMatch, type TextScanner, type TextWindow } from './text-scanner.ts'

/** The most code units of a match. */
export const EXPRESSION_SPAN = 256
/** The most matches that begin in as many code units. What follows them there counts as matched. */
const MOST_MATCHES = 32
/** The most instructions of an expression, which the time for a character grows with. */
const MOST_INSTRUCTIONS = 500
const LONGEST_EXPRESSION = 1_000

/**
 * Compiles an expression in the syntax of RE2, which is matched in linear time. `^` and `$` are the ends of lines.
 *
 * @throws TypeError for another syntax, and for an expression that is too large
 */
export function compileExpression(name: string, pattern: string): RE2JS {
  if (typeof pattern !== 'string' || pattern === '' || pattern.length > LONGEST_EXPRESSION) {
    throw new TypeError(`The pattern '${name}' must be a text of 1 to ${LONGEST_EXPRESSION} characters.`)
  }
  const compiled = parsed(name, pattern)
  if (compiled.programSize() > MOST_INSTRUCTIONS) {
    throw new TypeError(`The pattern '${name}' is too large: it repeats too much.`)
  }
  if (compiled.test('')) throw new TypeError(`The pattern '${name}' must not match an empty text.`)
  return compiled
}

function parsed(name: string, pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern, RE2JS.MULTILINE)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new TypeError(`The pattern '${name}' is not a regular expression of RE2: ${reason}`)
  }
}

/** Finds the matches of an expression in blocks whose offsets do not depend on how the text arrives. */
export class ExpressionScanner implements TextScanner {
  readonly #name: string
  readonly #expression: RE2JS
  /** The beginning of the next block. */
  #next = 0
  /** The end of the last match. */
  #end = 0

  constructor(name: string, expression: RE2JS) {
    this.#name = name
    this.#expression = expression
  }

  scan({ text, from, isLast }: TextWindow, found: (match: PatternMatch) => void): number {
    const end = from + text.length
    while (this.#next + 2 * EXPRESSION_SPAN <= end || (isLast && this.#next < end)) {
      const first = Math.max(from, this.#next - CONTEXT)
      this.#scanBlock(text.slice(first - from, this.#next + 2 * EXPRESSION_SPAN - from), first, found)
      this.#next = Math.min(this.#next + EXPRESSION_SPAN, end)
    }
    return this.#next
  }

  #scanBlock(text: string, from: number, found: (match: PatternMatch) => void): void {
    const matcher = this.#expression.matcher(text)
    const blockEnd = Math.min(this.#next + EXPRESSION_SPAN, from + text.length)
    let at = Math.max(this.#next, this.#end)
    for (let matches = 0; at < blockEnd && matcher.find(at - from); matches += 1) {
      const start = from + matcher.start()
      if (start >= blockEnd) return
      const end = matches < MOST_MATCHES ? from + matcher.end() : blockEnd
      if (end > start) {
        found({ name: this.#name, start, end })
        this.#end = end
      }
      at = Math.max(end, start + 1)
    }
  }
}
