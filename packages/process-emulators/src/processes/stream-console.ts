import type { Readable, Writable } from 'node:stream'
import type { ConsoleEndpoint } from '@trivium/emulation-core/ports'
import { pacedOutput } from './paced-output.ts'

/** Bytes that wait for a listener, where the oldest are dropped, and typed bytes that wait for the program. */
const LIMIT_BYTES = 64 * 1024

/** Creates the console of a program that reads and writes plain bytes. Drops typed bytes where more than 64 KiB would wait. */
export function createStreamConsole({
  input,
  output,
}: {
  readonly input: Writable
  readonly output: Readable
}): ConsoleEndpoint {
  const outputBuffer = createOutputBuffer()
  const { pause, resume } = pacedOutput(output, outputBuffer.show)
  input.on('error', () => {})
  output.on('error', () => {})
  return {
    write: (bytes) => {
      if (input.writable && input.writableLength + bytes.length <= LIMIT_BYTES) input.write(bytes)
    },
    onOutput: outputBuffer.onOutput,
    pause,
    resume,
  }
}

/** Keeps the last 64 KiB of output until a listener is set. */
export function createOutputBuffer() {
  let listener: ((bytes: Uint8Array) => void) | undefined
  let kept: Uint8Array[] = []
  let size = 0
  return {
    show: (bytes: Uint8Array) => {
      if (listener !== undefined) return listener(bytes)
      kept.push(bytes)
      size += bytes.length
      while (size > LIMIT_BYTES && kept.length > 1) size -= kept.shift()?.length ?? 0
    },
    onOutput: (next: (bytes: Uint8Array) => void) => {
      listener = next
      const waiting = kept
      kept = []
      for (const bytes of waiting) next(bytes)
    },
  }
}
