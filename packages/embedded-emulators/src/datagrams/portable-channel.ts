import type { Socket } from 'node:dgram'
import type { DatagramChannel } from './datagram-channel.ts'

/** Bytes that can wait in `node:dgram`. */
const SEND_QUEUE_BYTES = 1024 * 1024

/** Sends and receives with `node:dgram`, on every platform. */
export function createPortableChannel(socket: Socket, receive: (frame: Uint8Array) => void): DatagramChannel {
  let isOpen = true
  socket.on('message', receive)
  return {
    send(frame) {
      if (!isOpen || socket.getSendQueueSize() > SEND_QUEUE_BYTES) return false
      socket.send(frame)
      return true
    },
    close: () =>
      new Promise((resolve) => {
        if (!isOpen) return resolve()
        isOpen = false
        socket.close(() => resolve())
      }),
  }
}
