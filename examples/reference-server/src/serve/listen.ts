import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import { isForeign, isLoopback } from '@trivium/http-contract'
import { closeServer, headersOf, limitConnections, type ServerPart } from '@trivium/http-contract/node'
import { securityHeaders } from '../access/security-headers.ts'
import { trustedProxies } from '../access/trusted-proxies.ts'
import { removeHeader } from '../access/user-header.ts'
import type { Settings } from '../settings.ts'
import { SettingsError } from '../settings.ts'
import { foreignRefusal } from './foreign-refusal.ts'
import { headWith } from './head-with.ts'
import { malformedRequest } from './malformed-request.ts'
import type { CreateServer, MountedRoutes, Transport } from './transport.ts'
import { missingHost } from './unrouted-replies.ts'

/** Loads only the chosen framework. */
const transports: Readonly<Record<Settings['TRIVIUM_TRANSPORT'], () => Promise<Transport>>> = {
  fastify: async () => (await import('./serve-fastify.ts')).serveFastify,
  express: async () => (await import('./serve-express.ts')).serveExpress,
  fetch: async () => (await import('./serve-fetch.ts')).serveFetch,
}

export interface Listening {
  readonly url: string
  /** The number of connections that are accepted at the same time. */
  readonly connections: number
  /**
   * Accepts no more connections. The open ones are closed by their next answer, or when they were idle for long, so that
   * no request is lost that is on its way. Resolves when all are closed. `close` may be called before and after that.
   */
  retire(): Promise<void>
  /** Stops the server as {@link closeServer} does. */
  close(graceSeconds: number): Promise<void>
}

/** How a server listens that is one of several processes. */
export interface ListenOptions {
  /** The path of a socket. @default the host and port of the settings */
  readonly path?: string
  /** Answers requests without a route. @default with 404 */
  readonly unrouted?: RequestListener
  /** Called before the server listens. @returns what has to be closed with it */
  readonly prepare?: (server: Server) => readonly ServerPart[]
}

/** @param onForeign called for each request with a foreign `Host` or `Origin`, with the address of its caller */
export async function listen(
  mounted: MountedRoutes,
  settings: Settings,
  onForeign: (remoteAddress: string | undefined) => void,
  { path, unrouted, prepare = () => [] }: ListenOptions = {},
): Promise<Listening> {
  const transport = await transports[settings.TRIVIUM_TRANSPORT]()
  const proxies = trustedProxies(settings.TRIVIUM_TRUST_PROXY)
  const headers = securityHeaders(settings)
  const { TRIVIUM_USER_HEADER: userHeader } = settings
  const answering = new WeakMap<Duplex, ServerResponse>()
  let isRetiring = false
  const guard: Guard = {
    headers,
    answering,
    isRetiring: () => isRetiring,
    onForeign: (request) => onForeign(proxies.addressOf(request)),
    removeForgedHeaders: (request) => {
      if (userHeader !== undefined && !proxies.isFromProxy(request)) removeHeader(request, userHeader)
    },
  }
  const { server, mounts } = await transport(guarded(mounted, settings, onForeign), {
    createServer: serverFactory(settings, guard),
    proxies,
    unrouted,
    sockets: { remoteAddress: proxies.addressOf, isFromProxy: proxies.isFromProxy, refusalHeaders: headers },
  })
  // Frameworks add handlers that answer without the headers of this server.
  server.removeAllListeners('clientError')
  server.on('clientError', malformedRequest(headers, isAnswering(answering)))
  const { connections } = limitConnections(server, {
    headSeconds: settings.TRIVIUM_HEAD_SECONDS,
    requestSeconds: settings.TRIVIUM_REQUEST_SECONDS,
    idleSeconds: settings.TRIVIUM_IDLE_SECONDS,
    stalledSeconds: settings.TRIVIUM_STALLED_SECONDS,
    connections: settings.TRIVIUM_MAX_CONNECTIONS,
  })
  const prepared = prepare(server)
  if (path === undefined) server.listen(settings.PORT, settings.HOST)
  else server.listen(path)
  await once(server, 'listening').catch((error: unknown) => {
    throw startError(error, settings)
  })
  return {
    url: urlOf(server, settings),
    connections,
    async retire() {
      isRetiring = true
      // `close` of an HTTP server would close idle connections.
      NetServer.prototype.close.call(server)
      await once(server, 'close')
    },
    close: (graceSeconds) => closeServer(server, { mounts: [...mounts, ...prepared], graceSeconds }),
  }
}

/** How often Node checks for requests that exceed their time limit. */
const CHECK_INTERVAL_MS = 1000

const json = { 'content-type': 'application/json' } as const

interface Guard {
  readonly headers: Readonly<Record<string, string>>
  /** The current answer of each connection. */
  readonly answering: WeakMap<Duplex, ServerResponse>
  /** Whether connections end with their next answer. */
  readonly isRetiring: () => boolean
  readonly onForeign: (request: IncomingMessage) => void
  /** Removes headers that only a trusted proxy may send. */
  readonly removeForgedHeaders: (request: IncomingMessage) => void
}

const isAnswering =
  (answering: Guard['answering']) =>
  (socket: Duplex): boolean => {
    const response = answering.get(socket)
    return response?.headersSent === true && !response.writableFinished
  }

function serverFactory(
  settings: Settings,
  { headers, answering, isRetiring, onForeign, removeForgedHeaders }: Guard,
): CreateServer {
  const isGuarded = isLoopback(settings.HOST)
  const writeHead = headWith(headers)
  const listenerOf =
    (listener: RequestListener): RequestListener =>
    (request, response) => {
      removeForgedHeaders(request)
      answering.set(request.socket, response)
      response.writeHead = writeHead
      if (isRetiring()) response.shouldKeepAlive = false
      if (request.httpVersion === '1.1' && request.headers.host === undefined) {
        response.writeHead(missingHost.status, { ...json, connection: 'close' }).end(JSON.stringify(missingHost.body))
        return
      }
      if (!isGuarded || !isForeign(headersOf(request))) return listener(request, response)
      onForeign(request)
      response.writeHead(403, json).end(foreignRefusal)
    }
  const refuseExpectation = listenerOf((_request, response) => void response.writeHead(417).end())
  const guarded = <Made extends Server>(server: Made) => server.on('checkExpectation', refuseExpectation)
  const { TRIVIUM_TLS_CERT: certificate, TRIVIUM_TLS_KEY: key } = settings
  const options = {
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    requireHostHeader: false,
  }
  if (certificate === undefined || key === undefined)
    return (listener) => guarded(createHttpServer(options, listenerOf(listener)))
  const handshakeTimeout = settings.TRIVIUM_HEAD_SECONDS * 1000
  const tls = { ...options, handshakeTimeout, ...readTls(certificate, key) }
  return (listener) => guarded(createHttpsServer(tls, listenerOf(listener)))
}

function readTls(certificate: string, privateKey: string): SecureContextOptions {
  try {
    const pair = { cert: readFileSync(certificate), key: readFileSync(privateKey) }
    createSecureContext(pair)
    return pair
  } catch (error) {
    throw new SettingsError(
      `TLS with "${certificate}" and "${privateKey}" is not possible (${error instanceof Error ? error.message : error}). Name a certificate chain with --tls-cert and its private key with --tls-key, both in PEM.`,
    )
  }
}

/** Adds the check of `Host` and `Origin` to each socket route: upgrades do not pass the request listener. */
function guarded(
  { routes, sockets }: MountedRoutes,
  { HOST: host }: Settings,
  onForeign: (remoteAddress: string | undefined) => void,
): MountedRoutes {
  if (!isLoopback(host)) return { routes, sockets }
  return {
    routes,
    sockets: sockets.map((route) => ({
      ...route,
      accept: async (exchange) => {
        if (!isForeign(exchange.headers)) return route.accept(exchange)
        onForeign(exchange.remoteAddress)
        return { reply: { kind: 'bytes', status: 403, headers: json, value: foreignRefusal } }
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

function startError(error: unknown, { HOST: host, PORT: port }: Settings): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new SettingsError(
      `Port ${port} of "${host}" is in use. Stop the other server, or choose another port with --port.`,
    )
  if (code === 'EACCES')
    return new SettingsError(
      `This user has no permission to listen on port ${port}. Choose a port from 1024 to 65535 with --port.`,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new SettingsError(`"${host}" is not an address of this machine. Choose one with --host.`)
  return error
}
