import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { ServerProcess } from '../server-process.ts'

/** A TCP connection that keeps the received bytes, and reports when it is closed. */
export interface RawClient {
  readonly socket: Socket
  readonly received: () => string
  /** Resolves when the connection is closed, by either side. */
  readonly closed: Promise<void>
}

export interface RawClientOptions {
  /** Never reads. @default false */
  readonly neverReads?: boolean
}

export async function rawClient(
  server: ServerProcess,
  bytes: string | Uint8Array = '',
  { neverReads = false }: RawClientOptions = {},
): Promise<RawClient> {
  const { hostname, port } = new URL(server.url)
  const socket = connect({ host: hostname, port: Number(port) })
  let text = ''
  // A reset is one of the expected ends of a connection.
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await once(socket, 'connect')
  if (neverReads) socket.pause()
  if (bytes.length > 0) socket.write(bytes)
  return { socket, received: () => text, closed }
}

/** Fewer than a server's queue of new connections holds: further ones are accepted seconds later, or never. */
const BATCH_SIZE = 200

export async function rawClients(
  server: ServerProcess,
  count: number,
  bytes?: string,
  options?: RawClientOptions,
): Promise<readonly RawClient[]> {
  const clients: RawClient[] = []
  while (clients.length < count) {
    const length = Math.min(BATCH_SIZE, count - clients.length)
    clients.push(...(await Promise.all(Array.from({ length }, () => rawClient(server, bytes, options)))))
  }
  return clients
}

/** Sends the same bytes repeatedly, as fast as the server reads, until `total` bytes are sent or the connection is closed. */
export async function sendRepeatedly({ socket }: RawClient, block: Uint8Array, total: number): Promise<number> {
  let sent = 0
  const closed = new Promise((resolve) => socket.once('close', resolve))
  while (sent < total && !socket.destroyed) {
    sent += block.byteLength
    if (!socket.write(block)) await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))])
  }
  return sent
}
