import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export async function listen(handle: RequestListener): Promise<number> {
  const server = createServer(handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address.
  return (server.address() as AddressInfo).port
}
