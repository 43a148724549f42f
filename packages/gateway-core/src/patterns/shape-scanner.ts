import { SHAPE_SPAN, type Shape } from './shapes.ts'
import type { PatternMatch, TextScanner, TextWindow } from './text-scanner.ts'

/** Finds the data of one shape. */
export class ShapeScanner implements TextScanner {
  readonly #name: string
  readonly #shape: Shape
  /** The offset before which no further match begins. */
  #next = 0
  /** The offset of the match whose tail is read. */
  #tailOf: number | undefined

  constructor(name: string, shape: Shape) {
    this.#name = name
    this.#shape = shape
  }

  scan(window: TextWindow, found: (match: PatternMatch) => void): number {
    const { text, from, isLast } = window
    const undecided = isLast ? text.length : pendingStart(text, this.#shape.pending)
    let at = this.#next - from
    if (this.#tailOf !== undefined) at = this.#followTail(window, at, found)
    while (this.#tailOf === undefined && at < text.length) {
      const match = this.#find(text, at, undecided)
      if (!match) break
      found({ name: this.#name, start: from + match.start, end: from + match.end })
      at = match.end
      if (this.#shape.tail) {
        this.#tailOf = from + match.start
        at = this.#followTail(window, at, found)
      }
    }
    this.#next = from + (this.#tailOf !== undefined ? at : Math.max(at, undecided))
    return this.#next
  }

  #find(text: string, at: number, undecided: number): { readonly start: number; readonly end: number } | undefined {
    const { expression, measure } = this.#shape
    expression.lastIndex = at
    for (let match = expression.exec(text); match && match.index < undecided; match = expression.exec(text)) {
      const [candidate] = match
      const start = match.index
      const length = measure ? measure(candidate, text[start + candidate.length] ?? '') : candidate.length
      if (length !== undefined) return { start, end: start + length }
      expression.lastIndex = start + 1
    }
    return undefined
  }

  #followTail({ text, from, isLast }: TextWindow, at: number, found: (match: PatternMatch) => void): number {
    const { tail } = this.#shape
    const limit = isLast || !tail ? text.length : Math.max(at, text.length - tail.ahead)
    const start = this.#tailOf
    if (!tail || start === undefined || at >= limit) {
      if (isLast) this.#tailOf = undefined
      return at
    }
    const { head } = tail
    const headEnd = head ? Math.max(at, Math.min(limit, start + head.most - from)) : at
    let end = at
    if (head && headEnd > at) end = Math.min(runEnd(head.expression, text, at), headEnd)
    if (end === headEnd) end = Math.min(runEnd(tail.expression, text, end), limit)
    // The same match again, which is longer now.
    if (end > at) found({ name: this.#name, start, end: from + end })
    if (end < limit || isLast) this.#tailOf = undefined
    return end
  }
}

/** Returns where a run of characters ends. @param expression with the flag `y` */
function runEnd(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at
  return at + (expression.exec(text)?.[0].length ?? 0)
}

/** Returns where what may become a match begins. */
function pendingStart(text: string, pending: readonly RegExp[]): number {
  const first = Math.max(0, text.length - SHAPE_SPAN)
  const last = text.slice(first)
  const starts = pending.map((expression) => last.search(expression)).filter((start) => start >= 0)
  return first + Math.min(last.length, ...starts)
}
