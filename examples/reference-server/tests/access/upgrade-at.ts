import { request } from 'node:http'

/** Returns the status of a refused upgrade; 101 where it succeeds. */
export function upgradeAt(
  origin: string,
  path: string,
  headers: Readonly<Record<string, string | string[]>>,
  localAddress?: string,
): Promise<number> {
  const { hostname, port } = new URL(origin)
  const handshake = {
    host: `${hostname}:${port}`,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  }
  return new Promise((resolve, reject) => {
    const sent = request({
      hostname,
      port,
      path,
      headers: { ...handshake, ...headers },
      agent: false,
      ...(localAddress !== undefined && { localAddress }),
    })
    sent.on('error', reject)
    sent.on('response', (response) => resolve(response.resume().statusCode ?? 0))
    sent.on('upgrade', (_response, socket) => {
      socket.destroy()
      resolve(101)
    })
    sent.end()
  })
}
