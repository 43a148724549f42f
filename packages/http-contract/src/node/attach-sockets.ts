import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket, WebSocketServer } from 'ws'
import type { Reply, ReplyHeaders } from '../exchange.ts'
import { pathMatcher } from '../path-matcher.ts'
import { nameValues, parseTemplate } from '../path-template.ts'
import type { SocketRoute } from '../socket.ts'
import { refuseUpgrade } from './refuse-upgrade.ts'
import { replayRequest } from './replay-request.ts'
import { pathOf } from './request-query.ts'
import { UpgradeExchange } from './upgrade-exchange.ts'
import { closeWebSocket, keepAlive, wrapWebSocket } from './web-socket.ts'

/** Options of {@link attachSockets}. */
export interface AttachSocketsOptions {
  /** The prefix of every path, such as `/emulation`. @default none */
  readonly prefix?: string
  /** Interval of pings. A socket that has not answered by the next ping is cut off. @default 30 */
  readonly keepAliveSeconds?: number
  /** The most bytes that may wait for a slow reader, which is cut off beyond that. @default 4 MiB */
  readonly bufferLimit?: number
  /**
   * Determines the address of the client behind a proxy. Needed because upgrades bypass the host's framework.
   *
   * @default the peer of the connection
   */
  readonly remoteAddress?: (request: IncomingMessage) => string | undefined
  /** Headers of every refused upgrade, in addition to those of the refusal itself. @default none */
  readonly refusalHeaders?: ReplyHeaders
}

/** The sockets of one mount. */
export interface AttachedSockets {
  /**
   * Accepts no further upgrades, and closes the open sockets with 1001. A socket whose client does not answer within 1
   * second is cut off. Resolves once all are closed. Call it once.
   */
  close(): Promise<void>
}

const DEFAULT_MESSAGE_LIMIT = 2 ** 16

/** A Node HTTP or HTTPS server. */
export interface UpgradeServer extends EventEmitter {
  /** Since Node 24.9: whether a request is for the `upgrade` listeners. */
  shouldUpgradeCallback?: (request: IncomingMessage) => boolean
}

interface Mount {
  /** @returns whether the request is this mount's */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean
  readonly refusalHeaders: ReplyHeaders
}

interface Attached {
  readonly mounts: Set<Mount>
  readonly detach: () => void
}

const attached = new WeakMap<UpgradeServer, Attached>()

/**
 * Serves WebSockets on a Node server, in addition to its requests and its own upgrade listeners. An upgrade that no
 * route takes is left to those listeners, and is answered 404 only without any. Several mounts of one server are tried
 * in the order in which they were attached. Needs the `ws` package, and rejects without it.
 */
export async function attachSockets(
  server: UpgradeServer,
  routes: readonly SocketRoute[],
  options: AttachSocketsOptions = {},
): Promise<AttachedSockets> {
  const { WebSocketServer } = await import('ws')
  const open = new Set<WebSocket>()
  const mount = mountOf(routes, WebSocketServer, open, options)
  const { mounts, detach } = attachedTo(server)
  mounts.add(mount)
  return {
    close: async () => {
      mounts.delete(mount)
      if (mounts.size === 0) detach()
      await Promise.all([...open].map(closeWebSocket))
    },
  }
}

function attachedTo(server: UpgradeServer): Attached {
  const known = attached.get(server)
  if (known) return known
  const mounts = new Set<Mount>()
  const isOnlyListener = () => server.listenerCount('upgrade') === 1
  const listener = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    for (const mount of mounts) if (mount.upgrade(request, socket, head)) return
    if (!isOnlyListener()) return
    const headers = Object.assign({}, ...[...mounts].map(({ refusalHeaders }) => refusalHeaders))
    if (requestsWebSocket(request)) refuseUpgrade(request, socket, { kind: 'empty', status: 404, headers })
    else replayRequest(server, request, socket, head)
  }
  const choose = server.shouldUpgradeCallback
  if (choose) {
    server.shouldUpgradeCallback = (request) =>
      isOnlyListener() ? requestsWebSocket(request) : choose.call(server, request)
  }
  const detach = () => {
    server.off('upgrade', listener)
    if (choose) server.shouldUpgradeCallback = choose
    attached.delete(server)
  }
  const created: Attached = { mounts, detach }
  attached.set(server, created)
  server.on('upgrade', listener)
  return created
}

/** Names the supported version, which a client can change. */
const badHandshake: Reply = { kind: 'empty', status: 400, headers: { 'sec-websocket-version': '13' } }

const requestsWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'

function mountOf(
  routes: readonly SocketRoute[],
  Server: typeof WebSocketServer,
  open: Set<WebSocket>,
  {
    prefix = '',
    keepAliveSeconds = 30,
    bufferLimit = 4 * 2 ** 20,
    remoteAddress = ({ socket }) => socket.remoteAddress,
    refusalHeaders = {},
  }: AttachSocketsOptions,
): Mount {
  const refuse = (request: IncomingMessage, socket: Duplex, reply: Reply, onFault?: SocketRoute['onFault']) =>
    refuseUpgrade(request, socket, { ...reply, headers: { ...refusalHeaders, ...reply.headers } }, onFault)
  const match = pathMatcher(
    routes.map((route) => ({
      route,
      slashes: route.slashes,
      template: parseTemplate(route.operation.path),
      server: new Server({
        noServer: true,
        clientTracking: false,
        // One message in each turn of the event loop, so that a busy sender does not delay other clients.
        allowSynchronousEvents: false,
        maxPayload: route.operation.messageLimit ?? DEFAULT_MESSAGE_LIMIT,
      }).on('wsClientError', (_error, socket, request) => refuse(request, socket, badHandshake)),
    })),
  )
  return {
    refusalHeaders,
    upgrade: (request, socket, head) => {
      if (!requestsWebSocket(request)) return false
      const path = pathOf(request.url)
      const found = path.startsWith(prefix) ? match(path.slice(prefix.length)) : undefined
      if (!found) return false
      const { route, template, server } = found.item
      const ignore = () => undefined
      socket.on('error', ignore)
      const exchange = new UpgradeExchange(request, socket, nameValues(template, found.values), remoteAddress(request))
      void route.accept(exchange).then((verdict) => {
        socket.off('error', ignore)
        if ('reply' in verdict) {
          refuse(request, socket, verdict.reply, route.onFault)
          return
        }
        server.handleUpgrade(request, socket, head, (webSocket) => {
          open.add(webSocket)
          webSocket.once('close', () => open.delete(webSocket))
          keepAlive(webSocket, keepAliveSeconds)
          openWith(verdict.open, route, webSocket, bufferLimit)
        })
      })
      return true
    },
  }
}

function openWith(
  open: (socket: ReturnType<typeof wrapWebSocket>) => void,
  route: SocketRoute,
  webSocket: WebSocket,
  bufferLimit: number,
): void {
  const socket = wrapWebSocket(webSocket, route, { bufferLimit })
  try {
    open(socket)
  } catch (error) {
    route.onFault(error)
    socket.close(1011)
  }
}
