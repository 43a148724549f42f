import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { descriptorLimit } from './descriptor-limit.ts'

/** Bounds on the connections of a Node server. */
export interface ConnectionLimits {
  /** How long the head of a request may take, counted from its first byte or from the new connection. @default 20 */
  readonly headSeconds?: number
  /** How long a whole request may take, its body included. @default 300 */
  readonly requestSeconds?: number
  /** How long a connection may wait for its next request. @default 65 */
  readonly idleSeconds?: number
  /** How long an answer may wait for a client that takes nothing of it. @default 60 */
  readonly stalledSeconds?: number
  /** The most requests that a connection may send ahead; it is cut beyond. @default 100 */
  readonly pipelined?: number
  /**
   * The most open connections, WebSockets included; further ones are closed at once. Half of `descriptors` where that is
   * less.
   *
   * @default 10_000
   */
  readonly connections?: number
  /**
   * How many files and connections the process may have open. One half is for connections of clients, the other for
   * upstreams, stores and labs.
   *
   * @default the process's own limit on Linux; elsewhere no limit is known
   */
  readonly descriptors?: number
}

/** What holds for a server's connections. */
export interface ConnectionBounds {
  /** The most open connections: what was asked for, or what the process's limit of open files leaves. */
  readonly connections: number
}

/**
 * Keeps clients that send slowly, take nothing or ask for everything at once from holding a server's memory and
 * sockets. A connection has one answer at a time: what it asks ahead is begun when the answer before is out. An answer
 * that is silent because it is still being made is not cut, however long that takes.
 *
 * Called once, when the server has its request listeners, for it takes their place. It uses the server's `timeout`.
 * Node looks for requests that take too long every 30 seconds, or as the server's `connectionsCheckingInterval` says.
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
    // The timer runs anew whenever the client takes something.
    const isStalled = socket.writableLength > 0
    if (isStalled || !isBusy(socket)) socket.destroy()
  })
  return { connections: affordable }
}

/** @returns whether a connection has a request that is being answered */
function answerInTurn(server: Server, limit: number): (socket: Socket) => boolean {
  const listeners = server.listeners('request')
  const queues = new WeakMap<Socket, (() => void)[]>()

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    response.once('close', () => answerNext(request.socket))
    for (const listener of listeners) listener.call(server, request, response)
  }
  const answerNext = (socket: Socket) => {
    const next = socket.destroyed ? undefined : queues.get(socket)?.shift()
    if (next) next()
    else queues.delete(socket)
  }
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const queue = queues.get(socket)
    if (queue === undefined) {
      queues.set(socket, [])
      answer(request, response)
    } else if (queue.length < limit) queue.push(() => answer(request, response))
    else socket.destroy()
  })
  return (socket) => queues.has(socket)
}
