import type { Server } from 'node:http'
import type { ServerHttp2Session } from 'node:http2'

/**
 * Returns a function that closes each HTTP/2 session of the server as soon as its streams have ended. From version 24 on
 * Node does so itself when the server closes.
 */
export function sessionsCloser(server: Server): () => void {
  const sessions = new Set<ServerHttp2Session>()
  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
  })
  return () => {
    for (const session of sessions) session.close()
  }
}
