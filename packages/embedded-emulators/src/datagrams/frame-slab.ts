/** A buffer for many frames, one after the other, so that a frame allocates only its view. */
export interface FrameSlab {
  /** Free from {@link offset} on. */
  readonly buffer: Buffer
  readonly offset: number
  /** Makes sure that as many bytes are free. */
  reserve(bytes: number): void
  /** Returns the bytes that were written last. They are never overwritten. */
  take(length: number): Uint8Array
}

export const LARGEST_DATAGRAM = 65_535

/** Allocates at the first use, and again when full. A buffer stays in memory as long as one of its frames does. */
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
