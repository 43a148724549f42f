import type { ConsoleEndpoint } from '@trivium/emulation-core/ports'
import { createTypedInput } from './typed-input.ts'

/** Keeps the last 64 KiB that a machine prints until a listener is set. */
export interface ConsoleBuffer extends ConsoleEndpoint {
  print(text: string): void
}

const MAX_BYTES = 64 * 1024
/** Characters of echo that one input can collect before they are sent. */
const PIECE_LENGTH = 16 * 1024

export function createConsoleBuffer(type: (bytes: Uint8Array) => void): ConsoleBuffer {
  const encoder = new TextEncoder()
  let kept: Uint8Array[] = []
  let bytes = 0
  let listener: ((output: Uint8Array) => void) | undefined
  let typing = false
  let echo = ''

  const show = (text: string) => {
    const output = encoder.encode(text)
    if (listener !== undefined) return listener(output)
    kept.push(output)
    bytes += output.length
    while (bytes > MAX_BYTES) bytes -= kept.shift()?.length ?? bytes
  }
  const showEcho = () => {
    const text = echo
    echo = ''
    if (text !== '') show(text)
  }

  // Every key echoes: with a message for each, a client that floods the console would block others.
  const write = createTypedInput((input) => {
    typing = true
    try {
      type(input)
    } finally {
      typing = false
      showEcho()
    }
  })

  return {
    write,
    onOutput(next) {
      listener = next
      for (const output of kept) next(output)
      kept = []
      bytes = 0
    },
    print(text) {
      if (!typing) return show(text)
      echo += text
      if (echo.length >= PIECE_LENGTH) showEcho()
    },
  }
}
