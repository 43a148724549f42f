import dns, { type LookupOptions } from 'node:dns'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { request as requestSecurely } from 'node:https'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import {
  defineContract,
  defineSockets,
  eventStream,
  type Failures,
  implement,
  implementSockets,
} from '@trivium/http-contract'
import fastify, { type FastifyPluginCallback } from 'fastify'
import * as v from 'valibot'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { fastifyRoutes, fastifySockets } from './index.ts'

const empty = (status: number) => ({ kind: 'empty', status, headers: {} }) as const

const failures: Failures = {
  malformed: () => empty(400),
  invalid: () => empty(422),
  tooLarge: () => empty(413),
  methodNotAllowed: () => empty(405),
  unexpected: () => empty(500),
  interrupted: () => undefined,
}

const contract = defineContract({
  wait: { method: 'GET', path: '/waiting', responses: { 200: v.string() } },
  follow: { method: 'GET', path: '/followed', responses: { 200: eventStream(v.number()) } },
})

/** Routes with an answer that runs until `release` is called. */
function gatedRoutes() {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>()
  const routes = implement(
    contract,
    {
      wait: async () => {
        enter()
        await promise
        return { status: 200, body: 'waited' }
      },
      follow: ({ ending }) => ({
        status: 200,
        body: (async function* () {
          yield 1
          if (!ending.aborted) await once(ending, 'abort')
        })(),
      }),
    },
    { failures },
  )
  return { routes, entered, release }
}

const sockets = implementSockets(
  defineSockets({ console: { path: '/console' } }),
  { console: () => ({ open: (socket) => socket.send('ready') }) },
  { failures: { invalid: () => empty(422), unexpected: () => empty(500) } },
)

const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Host {
  readonly server: Server
  listen(options: { readonly port: number; readonly host: string }): PromiseLike<string>
  close(): PromiseLike<unknown>
}

async function listen(host: Host, name = '127.0.0.1') {
  cleanups.push(() => host.close())
  const url = await host.listen({ port: 0, host: name })
  // A server that listens on a port has an address.
  const { port } = host.server.address() as AddressInfo
  /** Connects a client that does not close its side when the server does. */
  const open = async (bytes: string, address = '127.0.0.1'): Promise<Socket> => {
    const socket = connect({ port, host: address, allowHalfOpen: true }).on('error', () => undefined)
    cleanups.push(() => socket.destroy())
    await once(socket, 'connect')
    socket.write(bytes)
    return socket
  }
  return { url, port, open }
}

const connectionsOf = (server: Server) =>
  new Promise<number>((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })

/** Sends a line of a head every 20 ms. */
async function drip(socket: Socket): Promise<Socket> {
  const timer = setInterval(() => socket.write('x-more: 1\r\n'), 20)
  cleanups.push(() => clearInterval(timer))
  return socket
}

/** Reads up to the end, or up to a reset. */
const rest = (socket: Socket) => text(socket).catch(() => '')

const modes = [true, 'idle', false] as const
const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`
const HANDSHAKE = '\x16\x03\x01'
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'

// TLS without a certificate.
const key = Buffer.from('a key that both sides have')
const tls = { ciphers: 'PSK', maxVersion: 'TLSv1.2', pskCallback: () => key } as const
const tlsClient = { ...tls, checkServerIdentity: () => undefined, pskCallback: () => ({ psk: key, identity: 'a' }) }

async function readPlain(url: string): Promise<string> {
  const send = url.startsWith('https') ? requestSecurely : request
  const [incoming] = await once(send(url, { ...tlsClient, agent: false }).end(), 'response')
  return text(incoming)
}

async function readHttp2(url: string): Promise<string> {
  const session = connectHttp2(url, tlsClient)
  return text(session.request({ ':path': new URL(url).pathname })).finally(() => session.destroy())
}

describe('fastifyRoutes', () => {
  it.each(modes)('stops with forceCloseConnections %j although clients send nothing or slowly', async (forced) => {
    const host = fastify({ forceCloseConnections: forced })
    host.register(fastifyRoutes([], { graceSeconds: 0.1 }))
    host.register(fastifyRoutes([], { graceSeconds: 0 }), { prefix: '/other' })
    host.get('/host', async () => 'host')
    const { open } = await listen(host)
    const kept = await open(get('/host') + get('/host').slice(0, -2))
    await once(kept, 'data')
    const slow = await drip(await open(get('/host').slice(0, -2)))
    const ends = [await open(''), await open('GET /h'), slow, kept].map(rest)
    await host.close()
    expect(await Promise.all(ends)).toEqual(['', '', '', ''])
  })

  it.each([
    true,
    false,
  ])('stops over HTTP/2 with forceCloseConnections %j although clients send nothing', async (forced) => {
    const host = fastify({ http2: true, forceCloseConnections: forced })
    host.register(fastifyRoutes([], { graceSeconds: 0.1 }))
    const { open } = await listen(host)
    for (const bytes of ['', PREFACE.slice(0, 9), PREFACE]) await open(bytes)
    await host.close()
    expect(await connectionsOf(host.server)).toBe(0)
  })

  it('stops over TLS although clients send nothing or slowly', async () => {
    const host = fastify({ https: tls })
    host.register(fastifyRoutes([], { graceSeconds: 0.1 }))
    const { open, port } = await listen(host)
    const secure = connectTls({ ...tlsClient, port, host: '127.0.0.1' }).on('error', () => undefined)
    await once(secure, 'secureConnect')
    secure.write('GET /h')
    const ends = [await open(''), await open(HANDSHAKE)].map(rest)
    await Promise.all([host.close(), once(secure, 'close')])
    expect(await Promise.all(ends)).toEqual(['', ''])
  })

  it('closes connections of every address of localhost', async () => {
    const { lookup } = dns
    cleanups.push(() => Reflect.set(dns, 'lookup', lookup))
    Reflect.set(dns, 'lookup', (name: string, _options: LookupOptions, done: (...found: unknown[]) => void) => {
      const addresses = name === 'localhost' ? ['127.0.0.1', '127.0.0.2'] : [name]
      done(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      )
    })
    const host = fastify()
    host.register(fastifyRoutes([], { graceSeconds: 0.1 }))
    const { open } = await listen(host, 'localhost')
    const ends = [await open('', '127.0.0.2'), await open('GET /h', '127.0.0.2')].map(rest)
    await host.close()
    expect(await Promise.all(ends)).toEqual(['', ''])
  })

  it('leaves upgraded connections to their owners', async () => {
    const host = fastify()
    host.register(fastifyRoutes([], { graceSeconds: 0.1 }))
    host.server.on('upgrade', (_request, socket) => socket.pipe(socket).write(`HTTP/1.1 101 Upgraded\r\n\r\n`))
    const { open } = await listen(host)
    const upgraded = await open('GET / HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: x\r\n\r\n')
    await once(upgraded, 'data')
    const half = rest(await open('GET /h'))
    const closed = host.close()
    await half
    upgraded.write('echo')
    expect(String(await once(upgraded, 'data'))).toBe('echo')
    upgraded.destroy()
    await closed
  })

  it.each([
    ['HTTP/1.1', (plugin: FastifyPluginCallback): Host => fastify().register(plugin), readPlain, 'GET /h'],
    [
      'HTTP/1.1 and TLS',
      (plugin: FastifyPluginCallback): Host => fastify({ https: tls }).register(plugin),
      readPlain,
      HANDSHAKE,
    ],
    ['HTTP/2', (plugin: FastifyPluginCallback): Host => fastify({ http2: true }).register(plugin), readHttp2, PREFACE],
    [
      'HTTP/2 and TLS',
      (plugin: FastifyPluginCallback): Host => fastify({ http2: true, https: tls }).register(plugin),
      readHttp2,
      HANDSHAKE,
    ],
  ] as const)('cuts off no answer of the host over %s', async (_, hostWith, read, waiting) => {
    const [entered, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const host = hostWith((app, _options, done) => {
      app.register(fastifyRoutes([], { graceSeconds: 0.1 }))
      app.get('/host', async () => {
        entered.resolve()
        await released.promise
        return 'host'
      })
      done()
    })
    const { url, open } = await listen(host)
    await open(waiting)
    const answer = read(`${url}/host`)
    await entered.promise
    const closed = host.close()
    await vi.waitFor(async () => expect(await connectionsOf(host.server)).toBe(1))
    released.resolve()
    expect(await answer).toBe('host')
    await closed
  })

  it.each(modes)('ends streams and sockets before running answers with forceCloseConnections %j', async (forced) => {
    const { routes, entered, release } = gatedRoutes()
    const host = fastify({ forceCloseConnections: forced })
    host.register(fastifyRoutes(routes))
    host.register(fastifySockets(sockets), { prefix: '/lab' })
    host.register(fastifyRoutes(routes), { prefix: '/other' })
    const { open, port } = await listen(host)
    const running = await open(get('/waiting'))
    await entered
    const console = new WebSocket(`ws://127.0.0.1:${port}/lab/console`)
    await once(console, 'message')
    const followed = await open(get('/other/followed'))
    await once(followed, 'data')
    const answer = rest(running)
    const closed = host.close()
    const [[code], last] = await Promise.all([once(console, 'close'), rest(followed)])
    expect([code, last]).toEqual([1001, '0\r\n\r\n'])
    release()
    expect(await answer).toMatch(/"waited"$/)
    await closed
  })

  it.each([
    [1000, 15],
    [0, 0.1],
  ])('stops with forceCloseConnections, a pluginTimeout of %d and a grace of %d', async (pluginTimeout, graceSeconds) => {
    const { routes, entered } = gatedRoutes()
    const host = fastify({ forceCloseConnections: true, pluginTimeout })
    host.register(fastifyRoutes(routes, { graceSeconds }))
    const { open } = await listen(host)
    const running = rest(await open(get('/waiting')))
    await entered
    await host.close()
    expect(await running).toBe('')
  })
})
