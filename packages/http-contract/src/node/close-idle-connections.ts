import type { Server, Socket } from 'node:net'
import { silentSockets } from './accepted-sockets.ts'
import type { TrackedConnections } from './track-connections.ts'

/** A server of `node:http`, `node:https` or `node:http2`. */
export interface ConnectionServer extends Server {
  /** Absent over HTTP/2, whose server closes its sessions itself. */
  closeIdleConnections?(): void
  /** Absent over HTTP/2. */
  closeAllConnections?(): void
}

/** When the connections that wait for a client are cut off. */
export interface UnansweredCut {
  readonly connections: TrackedConnections
  /** How long they may continue. */
  readonly graceSeconds: number
}

/** How often a closing server looks for connections to close. */
const INTERVAL_MS = 50

/**
 * Closes the connections without a request of a server that closes: now, and each as soon as its answer is complete,
 * until the server has closed. Node keeps such a connection open for its next request. One over which nothing arrives
 * for 50 ms is closed, too. With a cut, so are those without a running answer when the grace has ended: they have sent
 * a part of a request.
 */
export function closeIdleConnections(server: ConnectionServer, cut?: UnansweredCut): void {
  const cutAt = cut ? performance.now() + cut.graceSeconds * 1000 : Number.POSITIVE_INFINITY
  let seen = new Set<Socket>()
  const sweep = () => {
    server.closeIdleConnections?.()
    if (!server.listening) cut?.connections.closeSessions()
    const unanswered = performance.now() < cutAt ? [] : (cut?.connections.unanswered() ?? [])
    const waiting = new Set([...silentSockets(server), ...unanswered])
    // At the first look, bytes of a client can be unread, and the end of an answer unsent.
    for (const socket of waiting) if (seen.has(socket)) socket.destroy()
    seen = waiting
  }
  cut?.connections.closeSessions()
  sweep()
  const sweeps = setInterval(sweep, INTERVAL_MS).unref()
  server.once('close', () => clearInterval(sweeps))
}
