import { createServer, type Server, type Socket } from 'node:net'
import { type ConsoleConnectionEvents, type ConsoleListener, Refusal } from '@trivium/emulation-core/ports'

/** The address and the limit of consoles. */
export interface TcpConsoleListenerOptions {
  /** The address on which consoles listen. @default '127.0.0.1' */
  readonly host?: string
  /** Open connections of one console. Further ones are closed immediately. @default 100 */
  readonly connectionLimit?: number
}

function serve(
  socket: Socket,
  accept: (connection: Parameters<Parameters<ConsoleListener['listen']>[1]>[0]) => ConsoleConnectionEvents,
) {
  socket.setNoDelay(true)
  const events = accept({
    remoteAddress: socket.remoteAddress,
    send(bytes) {
      if (socket.writable) socket.write(bytes)
    },
    get bufferedBytes() {
      return socket.writableLength
    },
    close() {
      // A reader that is stuck must not keep the socket.
      if (socket.writableLength === 0) socket.destroySoon()
      else socket.destroy()
    },
  })
  socket.on('data', (bytes) => {
    events.data(bytes)
    // One chunk in each turn of the event loop: a client that sends without end must not block others.
    socket.pause()
    setImmediate(() => socket.resume())
  })
  socket.on('error', () => {})
  socket.once('close', () => events.closed())
}

/** Listens on TCP for consoles. `listen` rejects with an `unavailable` refusal where the port can't be used. */
export const tcpConsoleListener = ({
  host = '127.0.0.1',
  connectionLimit = 100,
}: TcpConsoleListenerOptions = {}): ConsoleListener => ({
  listen: (port, accept) =>
    new Promise((resolve, reject) => {
      const sockets = new Set<Socket>()
      const server: Server = createServer((socket) => {
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
        serve(socket, accept)
      })
      server.maxConnections = connectionLimit
      server.once('error', (error) =>
        reject(new Refusal('unavailable', `TCP port ${port} can't be used on host ${host}.`, { cause: error })),
      )
      server.listen({ port, host, exclusive: true }, () => {
        resolve({
          close: () =>
            new Promise((closed) => {
              server.close(() => closed())
              for (const socket of sockets) socket.destroySoon()
            }),
        })
      })
    }),
})
