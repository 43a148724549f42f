import type { EventEmitter } from 'node:events'
import { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { WebSocket, WebSocketServer } from 'ws'
import type { Reply, ReplyHeaders } from '../exchange.ts'
import { pathMatcher } from '../path-matcher.ts'
import { pathPrefix } from '../path-prefix.ts'
import { nameValues, parseTemplate } from '../path-template.ts'
import type { SocketRoute } from '../socket.ts'
import { prefixMatcher } from './prefix-matcher.ts'
import { refuseUpgrade } from './refuse-upgrade.ts'
import { replayRequest } from './replay-request.ts'
import { pathOf } from './request-query.ts'
import { UpgradeExchange } from './upgrade-exchange.ts'
import { closeWebSocket, keepAlive, wrapWebSocket } from './web-socket.ts'
import { type WebSocketModule, webSocketModule } from './web-socket-module.ts'

/** Options of {@link attachSockets}. */
export interface AttachSocketsOptions {
  /** The prefix of every path, such as `/emulation`. `emulation` and `/emulation/` are the same. @default none */
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
  /**
   * Whether an upgrade comes from a proxy that the host trusts. Its `X-Forwarded-Proto`, `X-Forwarded-Host` and
   * `X-Forwarded-Prefix` are then the address at which the client reaches the sockets.
   *
   * @default none does
   */
  readonly isFromProxy?: (request: IncomingMessage) => boolean
  /** Headers of every refused upgrade, in addition to those of the refusal itself. @default none */
  readonly refusalHeaders?: ReplyHeaders
  /**
   * The module `ws` that the host has imported, so that a bundler includes it.
   *
   * @default loaded when sockets are attached, from where the program runs
   */
  readonly ws?: WebSocketModule
}

/** The sockets of one mount. */
export interface AttachedSockets {
  /**
   * Accepts no further upgrades, answers 503 to those that are not decided, and closes the open sockets with 1001. A
   * socket whose client does not answer within 1 second is cut off. Resolves once all are closed. Later calls return the
   * first promise.
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
  /** Whether the request is this mount's. */
  readonly matches: (request: IncomingMessage) => boolean
  /** @returns whether the request is this mount's */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean
  readonly refusalHeaders: ReplyHeaders
  /** Refuses the upgrades that are not decided, and closes the open sockets. */
  readonly close: () => Promise<unknown>
}

interface Attached {
  readonly mounts: Set<Mount>
  readonly detach: () => void
}

const attached = new WeakMap<UpgradeServer, Attached>()

/**
 * Serves WebSockets on a Node server, in addition to its requests and to other WebSocket servers, attached before or
 * later. An upgrade that a route takes does not reach the server's `upgrade` listeners, because some of them refuse
 * every path that they do not know. Any other upgrade is left to them, and is answered 404 only without any. Several
 * mounts of one server are tried in the order in which they were attached. Needs the `ws` package, and rejects with a
 * sentence without it.
 *
 * @returns a promise that rejects with a TypeError if the prefix is not a path
 */
export async function attachSockets(
  server: UpgradeServer,
  routes: readonly SocketRoute<IncomingMessage>[],
  options: AttachSocketsOptions = {},
): Promise<AttachedSockets> {
  const { WebSocketServer } = options.ws ?? (await webSocketModule())
  const mount = mountOf(routes, WebSocketServer, options)
  const { mounts, detach } = attachedTo(server)
  mounts.add(mount)
  let closed: Promise<unknown> | undefined
  const close = () => {
    mounts.delete(mount)
    if (mounts.size === 0) detach()
    return mount.close()
  }
  return {
    close: async () => {
      closed ??= close()
      await closed
    },
  }
}

function attachedTo(server: UpgradeServer): Attached {
  const known = attached.get(server)
  if (known) return known
  const mounts = new Set<Mount>()
  const isOnlyListener = () => server.listenerCount('upgrade') === 1
  const matches = (request: IncomingMessage) => [...mounts].some((mount) => mount.matches(request))
  const answerUnknown = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!isOnlyListener()) return
    const headers = Object.assign({}, ...[...mounts].map(({ refusalHeaders }) => refusalHeaders))
    if (requestsWebSocket(request)) refuseUpgrade(request, socket, { kind: 'empty', status: 404, headers })
    else replayRequest(server, request, socket, head)
  }
  const restoreEmit = takeUpgrades(server, (request, socket, head) => {
    for (const mount of mounts) if (mount.upgrade(request, socket, head)) return true
    return false
  })
  const choose = server.shouldUpgradeCallback
  if (choose) {
    server.shouldUpgradeCallback = (request) =>
      isOnlyListener() ? requestsWebSocket(request) : matches(request) || choose.call(server, request)
  }
  const detach = () => {
    server.off('upgrade', answerUnknown)
    restoreEmit()
    if (choose) server.shouldUpgradeCallback = choose
    attached.delete(server)
  }
  const created: Attached = { mounts, detach }
  attached.set(server, created)
  // Without a listener Node emits no upgrades.
  server.on('upgrade', answerUnknown)
  return created
}

/**
 * Passes upgrades to a function before the listeners of the server, which get those for which it returns `false`.
 *
 * @returns a function that ends this
 */
function takeUpgrades(server: UpgradeServer, take: Mount['upgrade']): () => void {
  const { emit } = server
  const isOwn = Object.hasOwn(server, 'emit')
  const emitOthers = (event: string | symbol, ...given: readonly unknown[]): boolean => {
    const [request, socket, head] = given
    const isUpgrade = event === 'upgrade' && request instanceof IncomingMessage && socket instanceof Duplex
    if (isUpgrade && Buffer.isBuffer(head) && take(request, socket, head)) return true
    return emit.call(server, event, ...given)
  }
  server.emit = emitOthers
  return () => {
    // A later wrapper of another package calls this one, which then takes nothing.
    if (server.emit !== emitOthers) return
    if (isOwn) server.emit = emit
    else Reflect.deleteProperty(server, 'emit')
  }
}

/** Names the supported version, which a client can change. */
const badHandshake: Reply = { kind: 'empty', status: 400, headers: { 'sec-websocket-version': '13' } }

/** For an upgrade that is not decided when the sockets are closed. */
const closedReply: Reply = { kind: 'empty', status: 503, headers: {} }

const requestsWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'

function mountOf(
  routes: readonly SocketRoute<IncomingMessage>[],
  Server: typeof WebSocketServer,
  {
    prefix: givenPrefix,
    keepAliveSeconds = 30,
    bufferLimit = 4 * 2 ** 20,
    remoteAddress = ({ socket }) => socket.remoteAddress,
    isFromProxy = () => false,
    refusalHeaders = {},
  }: AttachSocketsOptions,
): Mount {
  const prefix = pathPrefix(givenPrefix, { parameters: true })
  const open = new Set<WebSocket>()
  const undecided = new Set<() => Promise<void>>()
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
  const prefixOf = prefixMatcher(prefix)
  const find = (request: IncomingMessage) => {
    if (!requestsWebSocket(request)) return undefined
    const path = pathOf(request.url)
    const mounted = prefixOf(path)
    const found = mounted === undefined ? undefined : match(path.slice(mounted.length))
    return mounted === undefined || !found ? undefined : { mounted, found }
  }
  return {
    refusalHeaders,
    matches: (request) => find(request) !== undefined,
    upgrade: (request, socket, head) => {
      const matched = find(request)
      if (!matched) return false
      const { mounted, found } = matched
      const { route, template, server } = found.item
      const ignore = () => undefined
      socket.on('error', ignore)
      const exchange = new UpgradeExchange(
        request,
        socket,
        nameValues(template, found.values),
        remoteAddress(request),
        mounted,
        isFromProxy(request),
      )
      const abandon = () => {
        const closed = closeOf(request.socket)
        refuse(request, socket, closedReply)
        return closed
      }
      undecided.add(abandon)
      void route.accept(exchange).then((verdict) => {
        if (!undecided.delete(abandon)) return
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
    close() {
      const abandoned = [...undecided]
      undecided.clear()
      return Promise.all([...abandoned.map((abandon) => abandon()), ...[...open].map(closeWebSocket)])
    },
  }
}

/** Resolves when a connection is closed, which it is after a second at the latest. */
async function closeOf(connection: Socket): Promise<void> {
  if (connection.destroyed) return
  const timer = setTimeout(() => connection.destroy(), 1000)
  await new Promise((resolve) => connection.once('close', resolve))
  clearTimeout(timer)
}

function openWith(
  open: (socket: ReturnType<typeof wrapWebSocket>) => void,
  route: Pick<SocketRoute, 'operation' | 'onFault'>,
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
