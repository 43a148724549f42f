import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Listens, and prints the address. @param port @default a free one */
export async function listen(server: Server, port = 0): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address.
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}
