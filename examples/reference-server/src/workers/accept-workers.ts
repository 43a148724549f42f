import type { Server } from 'node:http'
import { Server as HttpsServer } from 'node:https'
import { createServer, type Socket } from 'node:net'
import type { ServerPart } from '@trivium/http-contract/node'
import type { HopAddress } from './calls.ts'
import { acceptHops } from './hop.ts'

/** Lets the server of a worker answer what other workers pass on to its private path, too. Never encrypted. */
export function acceptWorkers(
  server: Server,
  { path, token }: HopAddress,
  onFault: (error: unknown) => void,
): ServerPart {
  const hops = new WeakSet<Socket>()
  acceptHops(server, token, (socket) => hops.has(socket))
  // What the servers of Node do with a connection that can carry requests.
  const carrying = server instanceof HttpsServer ? 'secureConnection' : 'connection'
  const inner = createServer((socket) => {
    hops.add(socket)
    server.emit(carrying, socket)
  })
  inner.on('error', onFault)
  // Not shared with the other workers by the primary.
  inner.listen({ path, exclusive: true })
  return { close: () => inner.close() }
}
