/** The output of a console as plain text, line by line. */
export interface ConsoleText {
  /** Takes output, in order. Pieces of any size give the same text. */
  push(bytes: Uint8Array): void
  /** The last line, which has not ended, without spaces at its end. At most 8,192 characters of it. */
  readonly line: string
  /** The number of line ends so far. */
  readonly lineEnds: number
  /** Empties the last line, as if it were not there. */
  clearLine(): void
}

/** The longest line that a program can still change. Of a longer one only the rest can be changed. */
const LONGEST_LINE = 8192

/** The last column to which a sequence moves beyond the end of a line. It costs as many steps for a few bytes. */
const LAST_COLUMN = 131

/** The longest text, such as a title of the window, in an escape sequence. What follows is output. */
const LONGEST_SEQUENCE = 1024

const ESCAPE = '\x1b'

type State = 'text' | 'escape' | 'intermediate' | 'control' | 'string'

/**
 * Creates the text of a console. It has no escape sequences and no control characters but tabs. A line is as a terminal
 * of any width shows it: what a program overwrites or erases with `\r`, `\b` and the sequences of a line is not in it.
 * Bytes that are not UTF-8 become U+FFFD.
 *
 * @param add is called with each line, or with a piece of a long line and `hasEnded` false
 */
export function createConsoleText(add: (text: string, hasEnded: boolean) => void): ConsoleText {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let cells: string[] = []
  let column = 0
  let lineEnds = 0
  let state: State = 'text'
  let sequence = 0
  let parameter = ''

  const put = (character: string) => {
    if (column >= LONGEST_LINE) {
      add(cells.join(''), false)
      cells = []
      column = 0
    }
    cells[column] = character
    column += 1
  }

  const moveTo = (next: number) => {
    column = Math.max(0, Math.min(next, Math.max(cells.length, LAST_COLUMN)))
    while (cells.length < column) cells.push(' ')
  }

  const endLine = () => {
    add(shown(cells), true)
    cells = []
    column = 0
    lineEnds += 1
  }

  const control = (action: string) => {
    const count = Math.max(1, Number(parameter))
    if (action === 'C') moveTo(column + count)
    else if (action === 'D') moveTo(column - count)
    else if (action === 'G') moveTo(count - 1)
    else if (action === 'P') cells.splice(column, count)
    else if (action === 'K' || action === 'J') erase(Number(parameter))
  }

  /** Erases to the end of the line, or all of it. Then the cursor moves to its beginning, as programs move it next. */
  const erase = (what: number) => {
    if (what === 0) cells.length = column
    if (what === 2) {
      cells = []
      column = 0
    }
  }

  const show = (character: string) => {
    if (character === '\n') endLine()
    else if (character === '\r') column = 0
    else if (character === '\b') column = Math.max(0, column - 1)
    else if (character === '\t' || !isControl(character)) put(character)
  }

  const begin = (next: State) => {
    state = next
    sequence = 0
    parameter = ''
  }

  /** Continues an escape sequence. Another control character ends it. */
  const continueSequence = (character: string) => {
    if (character === ESCAPE) return begin('escape')
    if (isControl(character)) {
      state = 'text'
      return show(character)
    }
    if (state === 'escape') {
      if (character === '[') begin('control')
      else if (']PX^_'.includes(character)) begin('string')
      else state = character >= ' ' && character <= '/' ? 'intermediate' : 'text'
    } else if (state === 'intermediate') {
      if (character > '/') state = 'text'
    } else if (state === 'control') {
      if (character >= '0' && character <= '9') parameter = parameter.length < 5 ? parameter + character : parameter
      else if (character >= '@') {
        state = 'text'
        control(character)
      }
    } else {
      sequence += 1
      if (sequence > LONGEST_SEQUENCE) state = 'text'
    }
  }

  return {
    push: (bytes) => {
      for (const character of decoder.decode(bytes, { stream: true })) {
        if (state !== 'text') continueSequence(character)
        else if (character === ESCAPE) begin('escape')
        else show(character)
      }
    },
    get line() {
      return shown(cells)
    },
    get lineEnds() {
      return lineEnds
    },
    clearLine: () => {
      cells = []
      column = 0
    },
  }
}

const shown = (cells: readonly string[]) => cells.join('').trimEnd()

function isControl(character: string): boolean {
  const code = character.charCodeAt(0)
  return code < 0x20 || (code >= 0x7f && code < 0xa0)
}
