import type { Server } from 'node:net'

/** A server of `node:http`, `node:https` or `node:http2`. */
export interface ConnectionServer extends Server {
  /** Absent over HTTP/2, whose server closes its sessions itself. */
  closeIdleConnections?(): void
  /** Absent over HTTP/2. */
  closeAllConnections?(): void
}

/** How often a closing server looks for connections whose answer is complete. */
const INTERVAL_MS = 50

/**
 * Closes the connections without a request of a server that closes: now, and each as soon as its answer is complete,
 * until the server has closed. Node keeps such a connection open for its next request.
 */
export function closeIdleConnections(server: ConnectionServer): void {
  if (!server.closeIdleConnections) return
  server.closeIdleConnections()
  const sweep = setInterval(() => server.closeIdleConnections?.(), INTERVAL_MS).unref()
  server.once('close', () => clearInterval(sweep))
}
