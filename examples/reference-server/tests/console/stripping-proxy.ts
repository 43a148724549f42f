import { once } from 'node:events'
import { createServer, type IncomingMessage, request as send } from 'node:http'
import { connect, type Socket } from 'node:net'

/** A proxy that removes the prefix `/outer` from paths, and answers other paths with 404. */
export interface StrippingProxy extends AsyncDisposable {
  /** With the prefix. */
  readonly url: string
}

const PREFIX = '/outer'

const forwarded = ['x-forwarded-for', '192.0.2.7', 'x-forwarded-prefix', PREFIX]

export async function openStrippingProxy(target: string): Promise<StrippingProxy> {
  const { hostname, port } = new URL(target)
  const strippedPath = ({ url = '' }: IncomingMessage) =>
    url.startsWith(`${PREFIX}/`) ? url.slice(PREFIX.length) : undefined
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    const path = strippedPath(request)
    if (path === undefined) return void response.writeHead(404).end()
    const { method, rawHeaders } = request
    const onward = send({ hostname, port, path, method, headers: [...rawHeaders, ...forwarded], agent: false })
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('upgrade', (request: IncomingMessage, near: Socket, head: Buffer) => {
    const path = strippedPath(request)
    if (path === undefined) return near.destroy()
    const far = connect(Number(port), hostname)
    const fields = [...request.rawHeaders, ...forwarded]
    const lines = fields.flatMap((name, index) => (index % 2 === 0 ? `${name}: ${fields[index + 1]}` : []))
    far.write(`${request.method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    far.write(head)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => one.destroy())
      one.on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    url: `http://127.0.0.1:${address.port}${PREFIX}`,
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}
