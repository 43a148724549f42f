import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'

/**
 * Passes a request for another upgrade, such as Java's and curl's `h2c`, back to the server as an ordinary request.
 * Node does so itself if a server has no listener for upgrades, and since 24.9 if the server's `shouldUpgradeCallback`
 * returns `false`. This is for earlier versions.
 */
export function replayRequest(server: EventEmitter, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`]
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? ''
    const value = request.rawHeaders[index + 1] ?? ''
    const kept = keptValue(name.toLowerCase(), value)
    if (kept !== '') lines.push(`${name}: ${kept}`)
  }
  if (!(socket instanceof Socket)) {
    socket.destroy()
    return
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit(socket instanceof TLSSocket ? 'secureConnection' : 'connection', socket)
}

function keptValue(name: string, value: string): string {
  if (name === 'upgrade' || name === 'http2-settings') return ''
  if (name !== 'connection') return value
  const tokens = value.split(',').map((token) => token.trim())
  return tokens.filter((token) => !/^(upgrade|http2-settings)$/i.test(token)).join(', ')
}
