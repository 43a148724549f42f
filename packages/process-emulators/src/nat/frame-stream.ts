import type { Duplex } from 'node:stream'
import { pacedOutput } from '../processes/paced-output.ts'

/** Bytes that wait for the program. Further frames are dropped. */
const MAX_WAITING = 1024 * 1024
/** The largest frame that QEMU sends. Longer ones mean that the stream is out of step. */
const MAX_FRAME = 69_632
const PREFIX = 4

/** Frames over a stream, each after its length in 4 bytes, as QEMU's `-netdev socket` has them. */
export interface FrameStream {
  send(frame: Uint8Array): void
}

/** @param receive is called with each frame of the program */
export function createFrameStream(socket: Duplex, receive: (frame: Uint8Array) => void): FrameStream {
  let kept: Buffer = Buffer.alloc(0)
  pacedOutput(socket, (bytes) => {
    let rest = kept.length === 0 ? bytes : Buffer.concat([kept, bytes])
    while (rest.length >= PREFIX) {
      const length = rest.readUInt32BE(0)
      if (length > MAX_FRAME) {
        socket.destroy()
        return
      }
      if (rest.length < PREFIX + length) break
      receive(rest.subarray(PREFIX, PREFIX + length))
      rest = rest.subarray(PREFIX + length)
    }
    kept = rest
  })
  return {
    send: (frame) => {
      if (!socket.writable || socket.writableLength > MAX_WAITING) return
      const prefix = Buffer.allocUnsafe(PREFIX)
      prefix.writeUInt32BE(frame.length)
      socket.cork()
      socket.write(prefix)
      socket.write(frame)
      process.nextTick(() => socket.uncork())
    },
  }
}
