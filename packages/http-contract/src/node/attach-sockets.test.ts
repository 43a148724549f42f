import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { openRaw } from '../conformance/raw-connection.ts'
import { implementSockets } from '../implement-sockets.ts'
import type { SocketExchange } from '../socket.ts'
import { attachSockets } from './index.ts'
import { webSocketModule } from './web-socket-module.ts'

const routesAt = (path: `/${string}`, greeting: string) =>
  implementSockets(
    { only: { path, params: v.unknown() } },
    { only: () => ({ open: (socket) => socket.send(greeting) }) },
    {
      failures: {
        invalid: () => ({ kind: 'empty', status: 400, headers: {} }),
        unexpected: () => ({ kind: 'empty', status: 500, headers: {} }),
      },
    },
  )

const open: Server[] = []

afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen() {
  const server = createServer((_request, response) => response.end('plain'))
  open.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address.
  return { server, port: (server.address() as AddressInfo).port }
}

async function connectTo(port: number, path: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`)
  const [greeting] = await once(socket, 'message')
  return { socket, greeting: String(greeting) }
}

const handshake = (path: string, more = '') =>
  `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`

describe('attachSockets', () => {
  it('uses the `ws` module of the host, which a bundler can include', async () => {
    const { server, port } = await listen()
    let used = 0
    const ws = {
      get WebSocketServer() {
        used += 1
        return WebSocketServer
      },
    }
    await attachSockets(server, routesAt('/a', 'hello'), { ws })
    expect((await connectTo(port, '/a')).greeting).toBe('hello')
    expect(used).toBe(1)
  })

  it('rejects with the command that installs `ws` when it is not there', async () => {
    await expect(webSocketModule('a-package-that-is-not-installed')).rejects.toThrow(
      'WebSockets need the package a-package-that-is-not-installed: npm install a-package-that-is-not-installed',
    )
  })

  it('serves sockets under the prefix of each mount, until the mount is closed', async () => {
    const { server, port } = await listen()
    const first = await attachSockets(server, routesAt('/a', 'first'), { prefix: '/one' })
    const second = await attachSockets(server, routesAt('/a', 'second'), { prefix: '/two' })
    expect((await connectTo(port, '/one/a')).greeting).toBe('first')
    const { socket, greeting } = await connectTo(port, '/two/a')
    expect(greeting).toBe('second')
    const [[code]] = await Promise.all([once(socket, 'close'), second.close()])
    expect([code, server.listenerCount('upgrade')]).toEqual([1001, 1])
    await expect(connectTo(port, '/two/a')).rejects.toThrow('404')
    await first.close()
    expect(server.listenerCount('upgrade')).toBe(0)
  })

  it('leaves a later mount attached when an earlier one is closed again', async () => {
    const { server, port } = await listen()
    const first = await attachSockets(server, routesAt('/a', 'first'))
    await first.close()
    await attachSockets(server, routesAt('/a', 'second'))
    await first.close()
    expect((await connectTo(port, '/a')).greeting).toBe('second')
  })

  it('leaves the server as it was when the last mount is closed', async () => {
    const { server } = await listen()
    const first = await attachSockets(server, routesAt('/a', 'first'))
    const second = await attachSockets(server, routesAt('/b', 'second'))
    await Promise.all([first.close(), second.close()])
    expect([Object.hasOwn(server, 'emit'), server.listenerCount('upgrade')]).toEqual([false, 0])
  })

  it('answers 503 to an upgrade that is not decided when the mount is closed, and ignores the decision', async () => {
    const { server, port } = await listen()
    const asked = Promise.withResolvers<AbortSignal>()
    const admitted = Promise.withResolvers<void>()
    const opened: string[] = []
    const routes = routesAt('/a', 'hello').map((route) => ({
      ...route,
      accept: async ({ signal }: SocketExchange) => {
        asked.resolve(signal)
        await admitted.promise
        return { open: () => void opened.push('hello') }
      },
    }))
    const attached = await attachSockets(server, routes)
    const refused = expect(connectTo(port, '/a')).rejects.toThrow('503')
    const signal = await asked.promise
    await attached.close()
    expect(signal.aborted).toBe(true)
    await refused
    await promisify(server.close.bind(server))()
    admitted.resolve()
    await setImmediate()
    expect(opened).toEqual([])
  })

  it('closes when the client of an undecided upgrade has left', async () => {
    const { server, port } = await listen()
    const asked = Promise.withResolvers<void>()
    const routes = routesAt('/a', 'hello').map((route) => ({
      ...route,
      accept: () => {
        asked.resolve()
        return new Promise<never>(() => undefined)
      },
    }))
    const attached = await attachSockets(server, routes)
    const socket = new WebSocket(`ws://127.0.0.1:${port}/a`).on('error', () => undefined)
    await asked.promise
    const left = new Promise((resolve) => socket.once('close', resolve))
    socket.terminate()
    await left
    await attached.close()
    await promisify(server.close.bind(server))()
  })

  it('reads a prefix with any slashes, and refuses one that is not a path', async () => {
    const { server, port } = await listen()
    for (const prefix of ['one', '/two/', '/']) await attachSockets(server, routesAt('/a', prefix), { prefix })
    for (const [path, prefix] of [
      ['/one/a', 'one'],
      ['/two/a', '/two/'],
      ['/a', '/'],
    ] as const)
      expect((await connectTo(port, path)).greeting).toBe(prefix)
    await expect(attachSockets(server, routesAt('/a', 'hello'), { prefix: '/a?b' })).rejects.toThrow(TypeError)
  })

  it('passes all `authorization` headers to the route', async () => {
    const { server, port } = await listen()
    const seen: unknown[] = []
    const routes = routesAt('/a', 'hello').map((route) => ({
      ...route,
      accept: async (exchange: SocketExchange) => {
        seen.push(exchange.headers.authorization)
        return route.accept(exchange)
      },
    }))
    await attachSockets(server, routes)
    for (const more of ['authorization: Bearer a\r\nAuthorization: Bearer b\r\n', 'authorization: Bearer a\r\n']) {
      const raw = await openRaw(port)
      raw.send(handshake('/a', more))
      await raw.until('hello')
    }
    expect(seen).toEqual([['Bearer a', 'Bearer b'], 'Bearer a'])
  })

  it('leaves other upgrades to the listeners of the host', async () => {
    const { server, port } = await listen()
    server.on('upgrade', (request, socket) => {
      if (request.url === '/host') socket.end('HTTP/1.1 418 Mine\r\n\r\n')
    })
    await attachSockets(server, routesAt('/a', 'ours'))
    await expect(connectTo(port, '/host')).rejects.toThrow('418')
    expect((await connectTo(port, '/a')).greeting).toBe('ours')
  })

  it('cuts off a client that does not answer a ping, and keeps one that does', async () => {
    const { server, port } = await listen()
    await attachSockets(server, routesAt('/a', 'hello'), { keepAliveSeconds: 0.02 })
    const { socket } = await connectTo(port, '/a')
    const silent = await openRaw(port)
    silent.send(handshake('/a'))
    await silent.until('hello')
    await silent.rest()
    for (const _ of [1, 2, 3]) await once(socket, 'ping')
    expect(socket.readyState).toBe(WebSocket.OPEN)
  })

  it('cuts off a client that does not answer the close', async () => {
    const { server, port } = await listen()
    const attached = await attachSockets(server, routesAt('/a', 'hello'))
    const silent = await openRaw(port)
    silent.send(handshake('/a'))
    await silent.until('hello')
    await attached.close()
    await silent.rest()
  })
})
