import { type IncomingMessage, Server as PlainServer, type ServerResponse } from 'node:http'
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import type { Server, Socket } from 'node:net'
import { onceClosed } from './once-closed.ts'

/** The connections of one server, for closing them. */
export interface TrackedConnections {
  /** Closes each HTTP/2 session as soon as its streams have ended. From version 24 on Node's server does so itself. */
  closeSessions(): void
  /**
   * Returns the open connections without a running answer of a mount or of the host. Upgraded ones are not among them,
   * nor those that the server accepted before it was tracked.
   */
  unanswered(): Socket[]
}

interface Connection {
  readonly socket: Socket
  /** What requests arrive over: the socket itself, or TLS over it. Absent until TLS is agreed on. */
  carrier: Socket | undefined
  isSession: boolean
  /** How many answers run. */
  running: number
}

const tracked = new WeakMap<Server, TrackedConnections>()

/** Tracks the connections that a server accepts from now on. Later calls return the first object. */
export function trackConnections(server: Server): TrackedConnections {
  const known = tracked.get(server)
  if (known) return known
  const created = track(server)
  tracked.set(server, created)
  return created
}

function track(server: Server): TrackedConnections {
  const open = new Set<Connection>()
  const sessions = new Set<ServerHttp2Session>()
  const bySocket = new WeakMap<Socket, Connection>()
  // Servers of TLS and HTTP/2 hide which connection they use.
  const byPeer = new Map<string, Connection>()

  const begin = (connection: Connection) => {
    connection.running += 1
    return () => {
      connection.running -= 1
    }
  }
  // Before the server's own listeners, which emit the session.
  server.prependListener('connection', (socket: Socket) => {
    const peer = peerOf(socket)
    const isPlain = server instanceof PlainServer
    if (bySocket.has(socket) || (peer === undefined && !isPlain)) return
    const connection = { socket, carrier: isPlain ? socket : undefined, isSession: false, running: 0 }
    open.add(connection)
    bySocket.set(socket, connection)
    if (peer !== undefined) byPeer.set(peer, connection)
    socket.once('close', () => {
      open.delete(connection)
      if (peer !== undefined && byPeer.get(peer) === connection) byPeer.delete(peer)
    })
  })
  server.prependListener('secureConnection', (socket: Socket) => {
    const connection = byPeer.get(peerOf(socket) ?? '')
    if (!connection) return
    connection.carrier = socket
    bySocket.set(socket, connection)
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = bySocket.get(request.socket)
    if (connection && !response.destroyed) onceClosed(request, response, begin(connection))
  })
  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
    const connection = byPeer.get(peerOf(session.socket) ?? '')
    if (!connection) return
    connection.isSession = true
    session.on('stream', (stream: ServerHttp2Stream) => void stream.once('close', begin(connection)))
  })
  return {
    closeSessions() {
      for (const session of sessions) session.close()
    },
    unanswered: () => [...open].filter(isUnanswered).map(({ socket }) => socket),
  }
}

const peerOf = ({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string | undefined =>
  remotePort === undefined ? undefined : `${remoteAddress} ${remotePort}`

function isUnanswered({ carrier, isSession, running }: Connection): boolean {
  if (running > 0) return false
  // Node takes the parser away from a connection when a request upgrades it.
  return isSession || carrier === undefined || ('parser' in carrier && Boolean(carrier.parser))
}
