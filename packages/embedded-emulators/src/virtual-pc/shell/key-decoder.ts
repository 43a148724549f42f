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
 * Makes keys of what a terminal sends: single characters as they are, every form of Enter as a carriage return, and the
 * names of arrow and editing keys. Sequences that mean nothing here are left out. Bytes may come in any pieces.
 */
export function createKeyDecoder(press: (key: string) => void): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder()
  /** What came of an escape sequence; `undefined` outside of one. */
  let sequence: string | undefined
  let afterReturn = false

  const character = (letter: string) => {
    const swallowed = afterReturn && (letter === '\n' || letter === '\0')
    afterReturn = letter === '\r'
    if (!swallowed && letter !== '\0') press(letter === '\n' ? '\r' : letter)
  }

  const escaped = (letter: string) => {
    if (sequence === '') {
      // After the introducer; anything else was Alt with a key, which means nothing here.
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
