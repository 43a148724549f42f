/** Where frames are put one behind the other, so that a frame costs no allocation of its own but its view. */
export interface FrameSlab {
  /** The buffer of which {@link room} bytes from {@link offset} on are free. */
  readonly buffer: Buffer
  readonly offset: number
  /** Makes sure that as many bytes fit. */
  reserve(bytes: number): void
  /** Takes what was just written. Nobody writes there again. */
  take(length: number): Uint8Array
}

export const LARGEST_DATAGRAM = 65_535

/** Made at the first use, and let go when it is full: it lives for as long as anyone keeps a frame of it. */
export function createFrameSlab(slabBytes = 512 * 1024): FrameSlab {
  let buffer = Buffer.alloc(0)
  let offset = 0
  return {
    get buffer() {
      return buffer
    },
    get offset() {
      return offset
    },
    reserve(bytes) {
      if (buffer.length - offset >= bytes) return
      buffer = Buffer.allocUnsafeSlow(Math.max(slabBytes, bytes))
      offset = 0
    },
    take(length) {
      const frame = buffer.subarray(offset, offset + length)
      offset += length
      return frame
    },
  }
}
