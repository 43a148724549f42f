/** Edits a line on a terminal, and prints its changes. */
export interface LineEditor {
  /** Handles one key: a printable character, a control character, or the name of a key. */
  press(key: string): void
  /** Begins a new line after the prompt. */
  prompt(text: string): void
}

export interface LineEditorOptions {
  readonly write: (text: string) => void
  readonly entered: (line: string) => void
  /** Called at Ctrl-C while a line is typed. The line is discarded before. */
  readonly interrupted: () => void
  /** Earlier lines, oldest first. Read at each arrow key. */
  readonly history: readonly string[]
}

const LONGEST_LINE = 512
const BELL = '\x07'

const left = (count: number): string => (count === 0 ? '' : `\x1b[${count}D`)

export function createLineEditor({ write, entered, interrupted, history }: LineEditorOptions): LineEditor {
  let prompt = ''
  let line = ''
  let cursor = 0
  /** Position in the history, counted back from the newest line. 0 is the line that is typed. */
  let recalled = 0
  let typed = ''

  /** Prints the line again from the cursor on, over the `old` characters that were there. */
  const redraw = (old: number) => {
    const rest = line.slice(cursor)
    const blank = Math.max(0, old - rest.length)
    write(`${rest}${' '.repeat(blank)}${left(rest.length + blank)}`)
  }

  const moveTo = (position: number) => {
    if (position < cursor) write(left(cursor - position))
    else if (position > cursor) write(line.slice(cursor, position))
    cursor = position
  }

  const remove = (from: number, to: number) => {
    const old = line.length - from
    moveTo(from)
    line = line.slice(0, from) + line.slice(to)
    redraw(old)
  }

  const replace = (next: string) => {
    const old = line.length
    moveTo(0)
    line = next
    redraw(old)
    moveTo(line.length)
  }

  const recall = (index: number) => {
    if (index < 0 || index > history.length) return write(BELL)
    if (recalled === 0) typed = line
    recalled = index
    replace(index === 0 ? typed : (history.at(-index) ?? ''))
  }

  const insert = (text: string) => {
    if (line.length + text.length > LONGEST_LINE) return write(BELL)
    const old = line.length - cursor
    line = line.slice(0, cursor) + text + line.slice(cursor)
    write(text)
    cursor += text.length
    if (old > 0) redraw(old)
  }

  const begin = () => {
    line = ''
    cursor = 0
    recalled = 0
  }

  const wordStart = (): number => line.slice(0, cursor).replace(/\S+\s*$/, '').length

  const keys: Readonly<Record<string, () => void>> = {
    '\r': () => {
      const complete = line
      begin()
      write('\r\n')
      entered(complete)
    },
    '\x03': () => {
      begin()
      write('^C\r\n')
      interrupted()
    },
    '\b': () => (cursor === 0 ? write(BELL) : remove(cursor - 1, cursor)),
    '\x7f': () => (cursor === 0 ? write(BELL) : remove(cursor - 1, cursor)),
    '\x01': () => moveTo(0),
    '\x02': () => moveTo(Math.max(0, cursor - 1)),
    '\x04': () => remove(cursor, cursor + 1),
    '\x05': () => moveTo(line.length),
    '\x06': () => moveTo(Math.min(line.length, cursor + 1)),
    '\x0b': () => remove(cursor, line.length),
    '\x0c': () => write(`\x1b[2J\x1b[H${prompt}${line}${left(line.length - cursor)}`),
    '\x0e': () => recall(recalled - 1),
    '\x10': () => recall(recalled + 1),
    '\x15': () => remove(0, cursor),
    '\x17': () => remove(wordStart(), cursor),
    up: () => recall(recalled + 1),
    down: () => recall(recalled - 1),
    left: () => moveTo(Math.max(0, cursor - 1)),
    right: () => moveTo(Math.min(line.length, cursor + 1)),
    home: () => moveTo(0),
    end: () => moveTo(line.length),
    delete: () => remove(cursor, cursor + 1),
  }

  return {
    press(key) {
      const action = Object.hasOwn(keys, key) ? keys[key] : undefined
      if (action !== undefined) action()
      else if (key.length === 1 && key >= ' ') insert(key)
    },
    prompt(text) {
      prompt = text
      begin()
      write(text)
    },
  }
}
