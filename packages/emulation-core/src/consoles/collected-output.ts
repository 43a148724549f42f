import { MAX_OUTPUT } from './command-output.ts'
import { isEcho } from './echo.ts'

/** The lines that a command prints. */
export interface CollectedOutput {
  /** Adds a line, or with `hasEnded` false a piece of one. */
  add(text: string, hasEnded: boolean): void
  /** Whether something was left out because there was too much. */
  readonly isTruncated: boolean
  /** Returns the lines without empty ones at the beginning and end. */
  text(): string
}

/** Collects output without its first line where that is the echo of the command. */
export function collectOutput(command: string): CollectedOutput {
  const lines: string[] = []
  let isFirst = true
  let continues = false
  let left = MAX_OUTPUT
  let isTruncated = false

  return {
    add: (text, hasEnded) => {
      const wasFirst = isFirst
      isFirst = false
      if (wasFirst && hasEnded && isEcho(text, command)) return
      // A line end is a character, too.
      const size = text.length + (continues ? 0 : 1)
      if (size > left) isTruncated = true
      if (left > 0) {
        const kept = size > left ? text.slice(0, left) : text
        if (continues) lines.push(`${lines.pop() ?? ''}${kept}`)
        else lines.push(kept)
        left -= Math.min(size, left)
      }
      continues = !hasEnded
    },
    get isTruncated() {
      return isTruncated
    },
    text: () => {
      const first = lines.findIndex(hasText)
      return first < 0 ? '' : lines.slice(first, lines.findLastIndex(hasText) + 1).join('\n')
    },
  }
}

const hasText = (line: string) => line.trim() !== ''
