import { on, once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import websocketPlugin from '@fastify/websocket'
import { serve } from '@hono/node-server'
import { expressSockets } from '@trivium/express-adapter'
import { fastifySockets } from '@trivium/fastify-adapter'
import { fetchSockets } from '@trivium/fetch-adapter/node'
import { defineSockets, implementSockets } from '@trivium/http-contract'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { Server as SocketIoServer } from 'socket.io'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'

const refuse = () => ({ kind: 'empty', status: 500, headers: {} }) as const

const ours = implementSockets(
  defineSockets({ hello: { path: '/hello' } }),
  { hello: () => ({ open: (socket) => socket.send('ours') }) },
  { failures: { invalid: refuse, unexpected: refuse } },
)

const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Host {
  readonly server: HttpServer
  /** Mounts our sockets under `/lab`. Returns the function that closes them. */
  readonly mount: () => Promise<() => Promise<void>>
}

const hosts: Readonly<Record<string, () => Promise<Host>>> = {
  async express() {
    const server = express().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return { server, mount: async () => (await expressSockets(server, ours, { prefix: '/lab' })).close }
  },
  async fetch() {
    // It is an HTTP/1 server without options.
    const server = serve({ fetch: new Hono().fetch, port: 0, hostname: '127.0.0.1' }) as HttpServer
    await once(server, 'listening')
    return { server, mount: async () => (await fetchSockets(server, ours, { prefix: '/lab' })).close }
  },
}

const portOf = (server: HttpServer) => {
  // A server that listens on a port has an address.
  const { port } = server.address() as AddressInfo
  return port
}

async function greetingAt(port: number, path: string): Promise<string> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`)
  const [greeting] = await once(socket, 'message')
  socket.terminate()
  return String(greeting)
}

async function greetingOfSocketIo(port: number): Promise<string> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/theirs/?EIO=4&transport=websocket`)
  for await (const [data] of on(socket, 'message', { close: ['close'] })) {
    const packet = String(data)
    // The server has opened the transport: connect to the namespace.
    if (packet.startsWith('0')) socket.send('40')
    if (!packet.startsWith('42')) continue
    socket.terminate()
    return String(JSON.parse(packet.slice(2))[1])
  }
  throw new Error('Socket.IO closed the connection')
}

interface Neighbour {
  readonly attach: (server: HttpServer) => void
  readonly greeting: (port: number) => Promise<string>
}

const greetFrom = (server: WebSocketServer) =>
  server.on('connection', (socket) => {
    socket.send('theirs')
  })

const neighbours: Readonly<Record<string, Neighbour>> = {
  '`ws` with a path': {
    attach: (server) => void greetFrom(new WebSocketServer({ server, path: '/theirs' })),
    greeting: (port) => greetingAt(port, '/theirs'),
  },
  '`ws` without a server': {
    attach(server) {
      const sockets = greetFrom(new WebSocketServer({ noServer: true }))
      server.on('upgrade', (request, socket, head) => {
        if (request.url !== '/theirs') return void socket.end('HTTP/1.1 418 Mine\r\n\r\n')
        sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit('connection', opened, request))
      })
    },
    greeting: (port) => greetingAt(port, '/theirs'),
  },
  'Socket.IO': {
    attach(server) {
      const sockets = new SocketIoServer(server, { path: '/theirs', destroyUpgradeTimeout: 10 })
      cleanups.push(() => sockets.disconnectSockets(true))
      sockets.on('connection', (socket) => socket.emit('greeting', 'theirs'))
    },
    greeting: greetingOfSocketIo,
  },
}

const orders = ['before', 'after'] as const

describe.each(Object.entries(hosts))('sockets on %s', (_host, start) => {
  describe.each(Object.entries(neighbours))('beside %s', (_neighbour, { attach, greeting }) => {
    it.each(orders)('open on their own paths when it is attached %s them', async (order) => {
      const { server, mount } = await start()
      cleanups.push(() => {
        server.closeAllConnections()
        server.close()
      })
      if (order === 'before') attach(server)
      const close = await mount()
      if (order === 'after') attach(server)
      const port = portOf(server)
      expect([await greetingAt(port, '/lab/hello'), await greeting(port)]).toEqual(['ours', 'theirs'])
      await close()
      expect(await greeting(port)).toBe('theirs')
    })
  })

  it('refuse a path that no one serves with 404, and only where no other server listens', async () => {
    const { server, mount } = await start()
    cleanups.push(() => server.close())
    await mount()
    const port = portOf(server)
    await expect(greetingAt(port, '/lab/unknown')).rejects.toThrow('404')
    server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 418 Mine\r\n\r\n'))
    await expect(greetingAt(port, '/lab/unknown')).rejects.toThrow('418')
  })
})

describe('sockets on fastify', () => {
  it.each(orders)('open on their own paths when @fastify/websocket is registered %s them', async (order) => {
    const host = fastify()
    cleanups.push(() => host.close())
    if (order === 'before') await host.register(websocketPlugin)
    await host.register(fastifySockets(ours), { prefix: '/lab' })
    if (order === 'after') await host.register(websocketPlugin)
    await host.register(async (routes) => {
      routes.get('/theirs', { websocket: true }, (socket) => socket.send('theirs'))
    })
    await host.listen({ port: 0, host: '127.0.0.1' })
    const port = portOf(host.server)
    expect([await greetingAt(port, '/lab/hello'), await greetingAt(port, '/theirs')]).toEqual(['ours', 'theirs'])
    await expect(greetingAt(port, '/lab/unknown')).rejects.toThrow('404')
  })

  describe.each(Object.entries(neighbours))('beside %s', (_neighbour, { attach, greeting }) => {
    it.each(orders)('open on their own paths when it is attached %s them', async (order) => {
      const host = fastify()
      cleanups.push(() => host.close())
      if (order === 'before') attach(host.server)
      await host.register(fastifySockets(ours), { prefix: '/lab' })
      if (order === 'after') attach(host.server)
      await host.listen({ port: 0, host: '127.0.0.1' })
      const port = portOf(host.server)
      expect([await greetingAt(port, '/lab/hello'), await greeting(port)]).toEqual(['ours', 'theirs'])
    })
  })

  it('open on each address of a host name', async () => {
    const host = fastify()
    cleanups.push(() => host.close())
    host.register(fastifySockets(ours), { prefix: '/lab' })
    await host.listen({ port: 0, host: 'localhost' })
    for (const address of host.addresses()) {
      if (typeof address === 'string') continue
      const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
      const socket = new WebSocket(`ws://${name}:${address.port}/lab/hello`)
      expect(String((await once(socket, 'message'))[0])).toBe('ours')
      socket.terminate()
    }
  })
})
