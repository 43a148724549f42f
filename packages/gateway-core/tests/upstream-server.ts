import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface UpstreamServer {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  readonly seen: readonly SeenRequest[]
  /** Returns the number of open connections. */
  connections(): Promise<number>
  /** Resolves when all connections that received bytes are closed. A pool may open further ones in advance. */
  drained(): Promise<void>
}

/** Starts a real HTTP server with these answers, which closes with the test. */
export async function upstreamServer(
  answer: (request: SeenRequest, response: ServerResponse) => void,
): Promise<UpstreamServer> {
  const seen: SeenRequest[] = []
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const { method = '', url = '', headers } = incoming
    const request = { method, path: url, headers, body: Buffer.concat(chunks).toString() }
    seen.push(request)
    answer(request, response)
  })
  return { seen, ...(await listen(server)) }
}

/** Starts a TCP server that calls `answer` when a complete request has arrived. */
export async function rawServer(answer: (socket: Socket) => void): Promise<UpstreamServer> {
  const server = createSocketServer((socket) => {
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const [head, body] = text.split('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(head ?? '')?.[1] ?? 0)
      if (body === undefined || body.length < length) return
      text = ''
      answer(socket)
    })
  })
  return { seen: [], ...(await listen(server)) }
}

/** Returns the origin of a port on which no server listens. */
export async function unusedOrigin(): Promise<string> {
  const server = createSocketServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = addressOf(server)
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

async function listen(server: Server): Promise<Omit<UpstreamServer, 'seen'>> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return {
    origin: `http://127.0.0.1:${addressOf(server).port}`,
    connections: () => connectionsOf(server),
    async drained() {
      const used = () => [...sockets].filter(({ bytesRead }) => bytesRead > 0)
      for (let open = used(); open.length > 0; open = used()) await Promise.all(open.map(closed))
    },
  }
}

function addressOf(server: Server): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return address
}

const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
