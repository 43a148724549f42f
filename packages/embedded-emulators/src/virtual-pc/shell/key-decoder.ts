const sequences: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  '1~': 'home',
  '3~': 'delete',
  '4~': 'end',
  '7~': 'home',
  '8~': 'end',
}

const LONGEST_SEQUENCE = 8

/**
 * Decodes the bytes of a terminal to keys: single characters, a carriage return for every form of Enter, and the names of
 * arrow and editing keys. Ignores other sequences. Accepts bytes in any pieces.
 */
export function createKeyDecoder(press: (key: string) => void): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder()
  /** The part of an escape sequence that has arrived. `undefined` outside of one. */
  let sequence: string | undefined
  let afterReturn = false

  const character = (letter: string) => {
    const ignored = afterReturn && (letter === '\n' || letter === '\0')
    afterReturn = letter === '\r'
    if (!ignored && letter !== '\0') press(letter === '\n' ? '\r' : letter)
  }

  const escaped = (letter: string) => {
    if (sequence === '') {
      // Anything but an introducer is Alt with a key, which is ignored.
      sequence = letter === '[' || letter === 'O' ? letter : undefined
      return
    }
    const body = `${sequence ?? ''}${letter}`
    const isComplete = letter >= '@' && letter <= '~'
    sequence = isComplete || body.length > LONGEST_SEQUENCE ? undefined : body
    const key = isComplete ? sequences[body.slice(1)] : undefined
    if (key !== undefined) press(key)
  }

  return (bytes) => {
    for (const letter of decoder.decode(bytes, { stream: true })) {
      if (sequence !== undefined) escaped(letter)
      else if (letter === '\x1b') sequence = ''
      else character(letter)
    }
  }
}
