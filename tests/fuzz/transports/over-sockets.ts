import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expressRoutes, expressSockets } from '@trivium/express-adapter'
import { fastifyRoutes, fastifySockets } from '@trivium/fastify-adapter'
import express from 'express'
import fastify from 'fastify'
import { openRaw, type RawConnection } from '../../../packages/http-contract/src/conformance/raw-connection.ts'
import type { FuzzRequest } from '../fuzz-request.ts'
import type { FuzzReply } from '../replies/fuzz-reply.ts'
import { type OpenTransport, QUIET_MS, type Transport } from './transport.ts'

export const overExpress: Transport = async ({ routes, sockets, isEndless }) => {
  const server = createServer(express().use(expressRoutes(routes)))
  const attached = await expressSockets(server, sockets)
  return listening(server, isEndless, attached.close)
}

export const overFastify: Transport = async ({ routes, sockets, isEndless }) => {
  const app = fastify({ routerOptions: { maxParamLength: 1024 } })
  app.register(fastifyRoutes(routes))
  app.register(fastifySockets(sockets))
  await app.ready()
  return listening(app.server, isEndless, () => app.close())
}

async function listening(
  server: Server,
  isEndless: () => boolean,
  closeApp: () => Promise<void>,
): Promise<OpenTransport> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address.
  const { port } = server.address() as AddressInfo
  return {
    async send(request) {
      const connection = await openRaw(port)
      try {
        connection.send(Buffer.from(toWire(request), 'latin1'))
        return await answer(connection, request, isEndless)
      } finally {
        connection.close()
      }
    },
    async close() {
      server.closeAllConnections()
      const closed = server.listening ? once(server, 'close') : undefined
      server.close()
      await closed
      await closeApp()
    },
  }
}

function toWire({ method, target, headers, body, frames = '' }: FuzzRequest): string {
  const framing = body === undefined ? [] : [['content-length', String(body.length)]]
  const lines = [['host', '127.0.0.1'], ...framing, ...headers]
  // A handshake has a header of this name already.
  if (!headers.some(([name]) => name === 'connection')) lines.push(['connection', 'close'])
  const head = `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  return head + (body ?? '') + frames
}

async function answer(
  connection: RawConnection,
  { method }: FuzzRequest,
  isEndless: () => boolean,
): Promise<FuzzReply> {
  let head = await connection.head()
  while (head.status === 100) head = await connection.head()
  const { status, headers } = head
  if (status === 101 || (isEndless() && status < 300)) {
    // The content of an endless answer is checked in process.
    await Promise.race([connection.rest(), quiet()])
    return { status, headers, body: '', cut: true }
  }
  const body = await connection.body(head, method)
  return { status, headers, body: body.toString('latin1'), cut: false }
}

const quiet = () => new Promise<undefined>((resolve) => void setTimeout(resolve, QUIET_MS))
