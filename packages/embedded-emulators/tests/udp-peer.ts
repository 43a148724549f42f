import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

/** A socket at the other end of a UDP link. */
export interface UdpPeer {
  readonly received: readonly Buffer[]
  send(frame: Uint8Array, port: number): Promise<void>
  /** Resolves once that many frames have arrived in total. */
  until(count: number): Promise<readonly Buffer[]>
  close(): Promise<void>
}

export const openUdpPeer = async (port: number, address = '127.0.0.1'): Promise<UdpPeer> => {
  const socket: Socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
  const relay = address.includes(':') ? '::1' : '127.0.0.1'
  const received: Buffer[] = []
  socket.on('message', (frame) => received.push(frame))
  socket.bind(port, address)
  await once(socket, 'listening')
  return {
    received,
    send: (frame, to) =>
      new Promise((resolve, reject) => {
        socket.send(frame, to, relay, (error) => (error ? reject(error) : resolve()))
      }),
    async until(count) {
      while (received.length < count) await once(socket, 'message')
      return received
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}
