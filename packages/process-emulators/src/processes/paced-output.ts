import type { Readable } from 'node:stream'

/** Controls the reading of the output of a program. */
export interface PacedOutput {
  /** Stops reading, so that the program has to wait. */
  pause(): void
  resume(): void
}

/**
 * Passes on what a program prints, one chunk (at most 64 KiB) in each turn of the event loop, so that a program that
 * never stops does not block others.
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
