import { CONTEXT, type PatternMatch, type TextScanner } from './text-scanner.ts'

/** Masks what patterns find in a text that arrives in pieces. The result does not depend on the pieces. */
export interface TextMasker {
  /** Adds a piece. @returns what is known of the masked text, since the last call */
  push(piece: string): string
  /** Ends the text. @returns the rest of the masked text */
  end(): string
}

export interface TextMaskerParts {
  readonly scanners: readonly TextScanner[]
  /** Returns the text in place of a match. */
  readonly maskOf: (name: string) => string
  /** Receives each match, and again where it is longer. */
  readonly onMatch: (match: PatternMatch) => void
}

export function createTextMasker({ scanners, maskOf, onMatch }: TextMaskerParts): TextMasker {
  let text = ''
  /** The offset of `text` in the whole text. */
  let from = 0
  /** The offset up to which the masked text is known. */
  let done = 0
  let last: PatternMatch | undefined
  let waiting: PatternMatch[] = []

  const next = (isLast: boolean): string => {
    const held = !isLast && endsWithHalf(text) ? text.slice(-1) : ''
    const window = { text: held === '' ? text : text.slice(0, -1), from, isLast }
    const decided = Math.min(
      from + window.text.length,
      ...scanners.map((scanner) => scanner.scan(window, (match) => waiting.push(match))),
    )
    const known = isLast ? from + window.text.length : decided
    const masked = write(known)
    const kept = Math.max(from, Math.min(done, known) - CONTEXT)
    text = text.slice(kept - from)
    from = kept
    return masked
  }

  const write = (known: number): string => {
    const ready = waiting.filter(({ start }) => start < known).sort(byStart)
    waiting = waiting.filter(({ start }) => start >= known)
    let masked = ''
    for (const match of ready) {
      const continues = last && (match.start < last.end || (match.start === last.end && match.name === last.name))
      if (last && continues) {
        last = { ...last, end: Math.max(last.end, match.end) }
      } else {
        if (match.start > done) masked += text.slice(done - from, match.start - from)
        masked += maskOf(match.name)
        last = match
      }
      onMatch(match)
      done = Math.max(done, last.end)
    }
    if (known > done) {
      masked += text.slice(done - from, known - from)
      done = known
    }
    return masked
  }

  return {
    push(piece) {
      text += piece
      return next(false)
    },
    end: () => next(true),
  }
}

/** The first and the longest one, which names the text in its place. */
const byStart = (one: PatternMatch, other: PatternMatch): number => one.start - other.start || other.end - one.end

function endsWithHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}
