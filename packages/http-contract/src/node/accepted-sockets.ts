import { subscribe } from 'node:diagnostics_channel'
import { type Server, Socket } from 'node:net'

/**
 * Returns the open connections of a server over which nothing has arrived, since this module was loaded. Empty in a
 * runtime that does not publish accepted connections.
 */
export function silentSockets(server: Server): Socket[] {
  return [...(accepted.get(server) ?? [])].filter(({ bytesRead }) => bytesRead === 0)
}

const accepted = new WeakMap<object, Set<Socket>>()

// A server that closes cannot list its connections, and Node closes only those that have had a request.
subscribe('net.server.socket', (message) => {
  if (typeof message !== 'object' || message === null || !('socket' in message)) return
  const { socket } = message
  if (!(socket instanceof Socket) || !('server' in socket)) return
  const { server } = socket
  if (typeof server !== 'object' || server === null) return
  const sockets = accepted.get(server) ?? new Set()
  accepted.set(server, sockets.add(socket))
  socket.once('close', () => sockets.delete(socket))
})
