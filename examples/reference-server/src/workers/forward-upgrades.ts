import type { EventEmitter } from 'node:events'
import { IncomingMessage } from 'node:http'
import { connect, Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { SocketRoute } from '@trivium/http-contract'
import { pathOf, type ServerPart } from '@trivium/http-contract/node'
import type { HopAddress } from './calls.ts'
import { clientOf, without } from './forward-requests.ts'
import { HOP_HEADER, hopHeader } from './hop.ts'

const hopOnly: ReadonlySet<string> = new Set([HOP_HEADER])

/**
 * Passes the WebSockets that a worker does not serve on to the private listener of the primary, byte by byte.
 *
 * @param own the sockets that the worker serves
 * @returns what waits for the end of the open ones, and cuts them off after the grace
 */
export function forwardUpgrades(server: EventEmitter, own: readonly SocketRoute[], address: HopAddress): ServerPart {
  const ownPaths = new Set<string>(own.map(({ operation }) => operation.path))
  const tunnels = new Set<Duplex>()
  const isForwarded = ({ headers, url }: IncomingMessage) =>
    headers.upgrade?.toLowerCase() === 'websocket' && !ownPaths.has(pathOf(url))
  const { emit } = server
  // Before the sockets of the transport, which answer 404 to the paths that they do not know.
  server.emit = (event: string | symbol, ...given: readonly unknown[]): boolean => {
    const [request, socket, head] = given
    const isUpgrade = event === 'upgrade' && request instanceof IncomingMessage && socket instanceof Duplex
    if (!isUpgrade || !Buffer.isBuffer(head) || !isForwarded(request)) return emit.call(server, event, ...given)
    tunnels.add(socket)
    socket.once('close', () => tunnels.delete(socket))
    openTunnel(request, socket, head, address)
    return true
  }
  return {
    async close({ graceSeconds }) {
      const ended = Promise.all([...tunnels].map((socket) => new Promise((resolve) => socket.once('close', resolve))))
      const cut = setTimeout(() => {
        for (const socket of tunnels) socket.destroy()
      }, graceSeconds * 1000)
      await ended
      clearTimeout(cut)
    },
  }
}

function openTunnel(request: IncomingMessage, socket: Duplex, head: Buffer, { path, token }: HopAddress): void {
  // The limits of requests do not apply to what follows.
  if (socket instanceof Socket) socket.setTimeout(0)
  const hop = connect(path)
  const kept = without(request.rawHeaders, hopOnly)
  const lines = [`${request.method} ${request.url} HTTP/1.1`]
  for (let index = 0; index + 1 < kept.length; index += 2) lines.push(`${kept[index]}: ${kept[index + 1]}`)
  lines.push(`${HOP_HEADER}: ${hopHeader(token, clientOf(request))}`)
  hop.write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  for (const [one, other] of [
    [socket, hop],
    [hop, socket],
  ] as const) {
    one.on('error', () => one.destroy())
    one.once('close', () => endSoon(other))
    one.pipe(other)
  }
}

/** What was written is still sent. */
function endSoon(socket: Duplex): void {
  if (socket instanceof Socket) socket.destroySoon()
  else socket.destroy()
}
