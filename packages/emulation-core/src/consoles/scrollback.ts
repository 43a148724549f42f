/** The latest output of a console. */
export interface Scrollback {
  push(bytes: Uint8Array): void
  /** Copies the bytes. Where older bytes were dropped, the copy starts at the first new line, if there is one. */
  snapshot(): Uint8Array
}

const LINE_FEED = 10

/** Creates a ring buffer of `limitBytes`, which is allocated at the first output. */
export function createScrollback(limitBytes: number): Scrollback {
  let ring: Uint8Array | undefined
  let end = 0
  let total = 0
  return {
    push: (bytes) => {
      ring ??= new Uint8Array(limitBytes)
      const tail = bytes.length > limitBytes ? bytes.subarray(bytes.length - limitBytes) : bytes
      const first = tail.subarray(0, limitBytes - end)
      ring.set(first, end)
      ring.set(tail.subarray(first.length), 0)
      total += bytes.length
      end = (end + tail.length) % limitBytes
    },
    snapshot: () => {
      if (!ring) return new Uint8Array()
      if (total <= limitBytes) return ring.slice(0, total)
      const bytes = new Uint8Array(limitBytes)
      bytes.set(ring.subarray(end))
      bytes.set(ring.subarray(0, end), limitBytes - end)
      const lineEnd = bytes.indexOf(LINE_FEED)
      return lineEnd < 0 ? bytes : bytes.subarray(lineEnd + 1)
    },
  }
}
