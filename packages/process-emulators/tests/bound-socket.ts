import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** A UDP socket of an address with a free port, until the test ends. */
export async function boundSocket(address: string): Promise<Socket> {
  const socket = createSocket('udp4')
  onTestFinished(() => void socket.close())
  socket.bind(0, address)
  await once(socket, 'listening')
  return socket
}
