import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { descriptorLimit } from './descriptor-limit.ts'

/** Bounds on the connections of a Node server. */
export interface ConnectionLimits {
  /** How long the head of a request may take, from its first byte or from the start of the connection. @default 20 */
  readonly headSeconds?: number
  /** How long a whole request may take, including its body. @default 300 */
  readonly requestSeconds?: number
  /** How long a connection may wait for its next request. @default 65 */
  readonly idleSeconds?: number
  /** How long an answer may wait for a client that does not read it. @default 60 */
  readonly stalledSeconds?: number
  /** The most requests that a connection may have queued, beyond which it is cut off. @default 100 */
  readonly pipelined?: number
  /**
   * The most open connections, including WebSockets. Further ones are closed immediately. At most half of
   * `descriptors`.
   *
   * @default 10_000
   */
  readonly connections?: number
  /**
   * How many files and connections the process may have open. Half of them are for connections of clients, the others
   * for upstreams, stores and labs.
   *
   * @default the limit of the process on Linux; no limit elsewhere
   */
  readonly descriptors?: number
}

/** The bounds in force on a server's connections. */
export interface ConnectionBounds {
  /** The most open connections: the option, or less if the process may open fewer files. */
  readonly connections: number
}

/**
 * Protects a server's memory and sockets from clients that send slowly, do not read, or send many requests at the same
 * time. The requests of a connection are answered one at a time: a queued request begins when the answer before it is
 * complete. An answer whose handler is slow is not cut off.
 *
 * Call it once, after the server has its request listeners, because it replaces them. It sets the server's `timeout`.
 * Node checks for slow requests every 30 seconds, or at the server's `connectionsCheckingInterval`.
 */
export function limitConnections(
  server: Server,
  {
    headSeconds = 20,
    requestSeconds = 300,
    idleSeconds = 65,
    stalledSeconds = 60,
    pipelined = 100,
    connections = 10_000,
    descriptors = descriptorLimit(),
  }: ConnectionLimits = {},
): ConnectionBounds {
  server.requestTimeout = requestSeconds * 1000
  server.headersTimeout = Math.min(headSeconds, requestSeconds) * 1000
  server.keepAliveTimeout = idleSeconds * 1000
  const affordable = Math.max(1, Math.min(connections, Math.floor((descriptors ?? Number.POSITIVE_INFINITY) / 2)))
  server.maxConnections = affordable
  const isBusy = answerInTurn(server, pipelined)
  server.setTimeout(stalledSeconds * 1000, (socket) => {
    // The timer restarts whenever the client reads something.
    const isStalled = socket.writableLength > 0
    if (isStalled || !isBusy(socket)) socket.destroy()
  })
  return { connections: affordable }
}

/** The requests of one connection. */
interface Turn {
  isBusy: boolean
  readonly waiting: (() => void)[]
}

/** @returns whether a connection has a request that is being answered */
function answerInTurn(server: Server, limit: number): (socket: Socket) => boolean {
  const listeners = server.listeners('request')
  const turns = new WeakMap<Socket, Turn>()

  const turnOf = (socket: Socket): Turn => {
    const known = turns.get(socket)
    if (known) return known
    const made = { isBusy: false, waiting: [] }
    turns.set(socket, made)
    return made
  }
  const answer = (turn: Turn, request: IncomingMessage, response: ServerResponse) => {
    turn.isBusy = true
    response.once('close', () => answerNext(turn, request.socket))
    for (const listener of listeners) listener.call(server, request, response)
  }
  const answerNext = (turn: Turn, socket: Socket) => {
    turn.isBusy = false
    if (turn.waiting.length > 0 && !socket.destroyed) turn.waiting.shift()?.()
  }
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const turn = turnOf(socket)
    if (!turn.isBusy) answer(turn, request, response)
    else if (turn.waiting.length < limit) turn.waiting.push(() => answer(turn, request, response))
    else socket.destroy()
  })
  return (socket) => turns.get(socket)?.isBusy === true
}
