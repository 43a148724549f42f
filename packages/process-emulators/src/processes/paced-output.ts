import type { Readable } from 'node:stream'

/** What is read of a program that prints. */
export interface PacedOutput {
  /** Reads nothing more, so that the program has to wait. */
  pause(): void
  resume(): void
}

/**
 * Hands over what a program prints, one chunk (at most 64 KiB) a turn of the event loop: one that never stops leaves the
 * turns of everybody else as short as they are.
 */
export function pacedOutput(stream: Readable, receive: (bytes: Buffer) => void): PacedOutput {
  let held = false
  stream.on('data', (bytes: Buffer) => {
    receive(bytes)
    if (held) return
    stream.pause()
    setImmediate(() => {
      if (!held) stream.resume()
    })
  })
  return {
    pause: () => {
      held = true
      stream.pause()
    },
    resume: () => {
      held = false
      stream.resume()
    },
  }
}
