import type { Readable, Writable } from 'node:stream'
import type { ConsoleEndpoint } from '@trivium/emulation-core/ports'
import { pacedOutput } from './paced-output.ts'

/** What is shown before anybody listens, and what is typed before the program reads: more is dropped, oldest first. */
const LIMIT_BYTES = 64 * 1024

/** The console of a program that reads and writes plain bytes. Typed bytes beyond 64 KiB that it does not read are lost. */
export function createStreamConsole({
  input,
  output,
}: {
  readonly input: Writable
  readonly output: Readable
}): ConsoleEndpoint {
  const shown = createShownBuffer()
  const { pause, resume } = pacedOutput(output, shown.show)
  input.on('error', () => {})
  output.on('error', () => {})
  return {
    write: (bytes) => {
      if (input.writable && input.writableLength + bytes.length <= LIMIT_BYTES) input.write(bytes)
    },
    onOutput: shown.onOutput,
    pause,
    resume,
  }
}

/** Keeps what is shown until the hub listens. */
export function createShownBuffer() {
  let listener: ((bytes: Uint8Array) => void) | undefined
  let early: Uint8Array[] = []
  let size = 0
  return {
    show: (bytes: Uint8Array) => {
      if (listener !== undefined) return listener(bytes)
      early.push(bytes)
      size += bytes.length
      while (size > LIMIT_BYTES && early.length > 1) size -= early.shift()?.length ?? 0
    },
    onOutput: (next: (bytes: Uint8Array) => void) => {
      listener = next
      const waiting = early
      early = []
      for (const bytes of waiting) next(bytes)
    },
  }
}
