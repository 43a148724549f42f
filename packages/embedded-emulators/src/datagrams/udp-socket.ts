import { createSocket, type Socket } from 'node:dgram'

export interface DatagramEnd {
  /** A numeric IPv4 or IPv6 address. */
  readonly address: string
  readonly port: number
}

const RECEIVE_BUFFER_BYTES = 1024 * 1024

/** Binds and connects a socket of the family of `remote`. Rejects with the error of the operating system. */
export const openUdpSocket = (local: DatagramEnd, remote: DatagramEnd): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const family = remote.address.includes(':') ? 'udp6' : 'udp4'
    const socket = createSocket({
      type: family,
      ipv6Only: family === 'udp6',
      lookup: (address, _options, done) => done(null, address, family === 'udp4' ? 4 : 6),
    })
    const failed = (error: Error) => {
      socket.close()
      reject(error)
    }
    socket.once('error', failed)
    socket.bind({ address: local.address, port: local.port, exclusive: true }, () => {
      socket.connect(remote.port, remote.address, (error?: Error) => {
        socket.off('error', failed)
        if (error !== undefined && error !== null) return failed(error)
        // The operating system reports a peer that does not listen yet. Its frames are lost.
        socket.on('error', () => {})
        try {
          socket.setRecvBufferSize(RECEIVE_BUFFER_BYTES)
        } catch {
          // The size that the system sets is enough.
        }
        resolve(socket)
      })
    })
  })
