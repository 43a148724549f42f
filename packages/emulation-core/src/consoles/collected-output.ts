import { MAX_OUTPUT } from './command-output.ts'
import { isEcho, isPartOfEcho } from './echo.ts'

/** The lines that a command prints. */
export interface CollectedOutput {
  /** Adds a line, or with `hasEnded` false a piece of one. */
  add(text: string, hasEnded: boolean): void
  /** Returns whether a last line, which has not ended, belongs to the echo of the command. */
  isEchoing(line: string): boolean
  /** Whether something was left out because there was too much. */
  readonly isTruncated: boolean
  /** Returns the lines without empty ones at the beginning and end. */
  text(): string
}

/** The most lines of an echo. Shells wrap a long command after 80 columns. */
const ECHO_LINES = 64

/** Collects output without the echo of the command, which comes first. */
export function collectOutput(command: string): CollectedOutput {
  const lines: string[] = []
  /** Lines that may be the echo; `undefined` once it has ended or is absent. */
  let held: string[] | undefined = []
  let continues = false
  let left = MAX_OUTPUT
  let isTruncated = false

  const keep = (text: string, hasEnded: boolean) => {
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
  }

  const release = () => {
    const released = held ?? []
    held = undefined
    for (const line of released) keep(line, true)
  }

  return {
    add: (text, hasEnded) => {
      if (held) {
        const echo = [...held, text].join('')
        if (hasEnded && isEcho(echo, command)) {
          held = undefined
          return
        }
        if (hasEnded && held.length < ECHO_LINES && isPartOfEcho(echo, command)) {
          held.push(text)
          return
        }
        release()
      }
      keep(text, hasEnded)
    },
    isEchoing: (line) => held !== undefined && isPartOfEcho([...held, line].join(''), command),
    get isTruncated() {
      return isTruncated
    },
    text: () => {
      release()
      const first = lines.findIndex(hasText)
      return first < 0 ? '' : lines.slice(first, lines.findLastIndex(hasText) + 1).join('\n')
    },
  }
}

const hasText = (line: string) => line.trim() !== ''
