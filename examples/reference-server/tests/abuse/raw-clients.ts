import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { ServerProcess } from '../server-process.ts'

/** A bare connection that keeps what it was sent, and knows when it is over. */
export interface RawClient {
  readonly socket: Socket
  readonly received: () => string
  /** Settles when the connection is over, whoever ended it. */
  readonly closed: Promise<void>
}

export interface RawClientOptions {
  /** Takes nothing of what it is sent. */
  readonly deaf?: boolean
}

export async function rawClient(
  server: ServerProcess,
  bytes: string | Uint8Array = '',
  { deaf = false }: RawClientOptions = {},
): Promise<RawClient> {
  const { hostname, port } = new URL(server.url)
  const socket = connect({ host: hostname, port: Number(port) })
  let text = ''
  // Whether it ends with a reset or in peace is all the same to whoever waits for the end.
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await once(socket, 'connect')
  if (deaf) socket.pause()
  if (bytes.length > 0) socket.write(bytes)
  return { socket, received: () => text, closed }
}

/** Fewer than a server's queue of new connections holds: what overflows it is taken seconds later, or never. */
const OPENED_AT_ONCE = 200

export async function rawClients(
  server: ServerProcess,
  count: number,
  bytes?: string,
  options?: RawClientOptions,
): Promise<readonly RawClient[]> {
  const clients: RawClient[] = []
  while (clients.length < count) {
    const length = Math.min(OPENED_AT_ONCE, count - clients.length)
    clients.push(...(await Promise.all(Array.from({ length }, () => rawClient(server, bytes, options)))))
  }
  return clients
}

/** The same bytes again and again, as fast as they are taken, until `total` went out or the connection is over. */
export async function pour({ socket }: RawClient, block: Uint8Array, total: number): Promise<number> {
  let sent = 0
  const closed = new Promise((resolve) => socket.once('close', resolve))
  while (sent < total && !socket.destroyed) {
    sent += block.byteLength
    if (!socket.write(block)) await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))])
  }
  return sent
}
