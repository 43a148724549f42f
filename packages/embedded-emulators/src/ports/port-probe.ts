import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import type { PortUse } from '@trivium/emulation-core/ports'

const bindTcp = (port: number, host: string) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })

const bindUdp = (port: number, address: string) =>
  new Promise<boolean>((resolve) => {
    const socket = createSocket('udp4')
    socket.once('error', () => socket.close(() => resolve(false)))
    socket.bind({ port, address, exclusive: true }, () => socket.close(() => resolve(true)))
  })

const EVERY_ADDRESS = '0.0.0.0'
const LOOPBACK = '127.0.0.1'

/** The address on which consoles listen, as in `tcpConsoleListener`. */
export interface PortProbeOptions {
  /** The address on which console ports must be free. @default '127.0.0.1' */
  readonly consoleHost?: string
}

/**
 * Creates the function with which `createPortAllocator` tests ports, for consoles that listen on `consoleHost`. A port
 * that this process has no right to bind counts as used. Never rejects.
 */
export const portProbe =
  ({ consoleHost = LOOPBACK }: PortProbeOptions = {}) =>
  async (use: PortUse, port: number): Promise<boolean> => {
    // A port can be bound on one address or on all: a test of one of them does not detect the other.
    const addresses = new Set([use === 'console' ? consoleHost : LOOPBACK, EVERY_ADDRESS])
    for (const address of addresses) {
      if (!(await (use === 'console' ? bindTcp(port, address) : bindUdp(port, address)))) return false
    }
    return true
  }
