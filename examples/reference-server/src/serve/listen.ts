import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import { isForeign, isLoopback } from '@trivium/http-contract'
import { headersOf, limitConnections } from '@trivium/http-contract/node'
import type { Settings } from '../settings.ts'
import { SettingsError } from '../settings.ts'
import { foreignRefusal } from './foreign-refusal.ts'
import type { CreateServer, Mounted, Transport } from './transport.ts'

/** Only the framework that is used is loaded. */
const transports: Readonly<Record<Settings['TRIVIUM_TRANSPORT'], () => Promise<Transport>>> = {
  fastify: async () => (await import('./serve-fastify.ts')).serveFastify,
  express: async () => (await import('./serve-express.ts')).serveExpress,
  fetch: async () => (await import('./serve-fetch.ts')).serveFetch,
}

export interface Listening {
  readonly url: string
  /** Takes no more connections, waits for the answers that run, at most `drainMs`, then cuts what is left. */
  close(drainMs: number): Promise<void>
}

export async function listen(mounted: Mounted, settings: Settings): Promise<Listening> {
  const transport = await transports[settings.TRIVIUM_TRANSPORT]()
  const { server, close } = await transport(guarded(mounted, settings), serverFactory(settings))
  limitConnections(server, {
    headSeconds: settings.TRIVIUM_HEAD_SECONDS,
    requestSeconds: settings.TRIVIUM_REQUEST_SECONDS,
    idleSeconds: settings.TRIVIUM_IDLE_SECONDS,
    stalledSeconds: settings.TRIVIUM_STALLED_SECONDS,
    connections: settings.TRIVIUM_MAX_CONNECTIONS,
  })
  server.listen(settings.PORT, settings.HOST)
  await once(server, 'listening').catch((error: unknown) => {
    throw explained(error, settings)
  })
  return {
    url: urlOf(server, settings),
    async close(drainMs) {
      const closed = once(server, 'close')
      server.close()
      // Each connection goes as soon as its answer is complete, and is not kept for another one.
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEPING_MS)
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), drainMs)
      await close()
      await closed
      clearInterval(sweep)
      clearTimeout(timer)
    },
  }
}

/** How often a server that stops looks for connections without a request. */
const SWEEPING_MS = 50

/** How often requests that take too long are looked for. */
const CHECKING_MS = 1000

function serverFactory(settings: Settings): CreateServer {
  const guard = isLoopback(settings.HOST)
  const listenerOf = (listener: RequestListener): RequestListener =>
    guard
      ? (request, response) => {
          if (!isForeign(headersOf(request))) return listener(request, response)
          response.writeHead(403, { 'content-type': 'application/json; charset=utf-8' }).end(foreignRefusal)
        }
      : listener
  const { TRIVIUM_TLS_CERT: certificate, TRIVIUM_TLS_KEY: key } = settings
  const options = { connectionsCheckingInterval: CHECKING_MS }
  if (certificate === undefined || key === undefined)
    return (listener) => createHttpServer(options, listenerOf(listener))
  const handshakeTimeout = settings.TRIVIUM_HEAD_SECONDS * 1000
  const tls = { ...options, handshakeTimeout, ...readTls(certificate, key) }
  return (listener) => createHttpsServer(tls, listenerOf(listener))
}

function readTls(certificate: string, privateKey: string): SecureContextOptions {
  try {
    const pair = { cert: readFileSync(certificate), key: readFileSync(privateKey) }
    createSecureContext(pair)
    return pair
  } catch (error) {
    throw new SettingsError(
      `TLS with ${certificate} and ${privateKey} is not possible (${error instanceof Error ? error.message : error}); give --tls-cert a certificate chain and --tls-key its private key, both in PEM.`,
    )
  }
}

/** Upgrades do not pass the request listener, so each socket route looks for itself. */
function guarded({ routes, sockets }: Mounted, { HOST: host }: Settings): Mounted {
  if (!isLoopback(host)) return { routes, sockets }
  return {
    routes,
    sockets: sockets.map((route) => ({
      ...route,
      accept: async (exchange) => {
        if (!isForeign(exchange.headers)) return route.accept(exchange)
        const headers = { 'content-type': 'application/json; charset=utf-8' }
        return { reply: { kind: 'bytes', status: 403, headers, value: foreignRefusal } }
      },
    })),
  }
}

function urlOf(server: Server, { TRIVIUM_TLS_CERT: certificate, HOST: host }: Settings): string {
  const address = server.address()
  const { port } = isAddress(address) ? address : { port: 0 }
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  return `${certificate === undefined ? 'http' : 'https'}://${name}:${port}`
}

const isAddress = (address: string | AddressInfo | null): address is AddressInfo =>
  typeof address === 'object' && address !== null

function explained(error: unknown, { HOST: host, PORT: port }: Settings): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new SettingsError(`Port ${port} of ${host} is in use; stop the other server or choose another with --port.`)
  if (code === 'EACCES')
    return new SettingsError(`This user may not listen on port ${port}; choose one from 1024 up with --port.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new SettingsError(`${host} is no address of this machine; choose one with --host.`)
  return error
}
