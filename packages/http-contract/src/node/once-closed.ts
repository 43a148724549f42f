import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Calls the listener once, when the response is complete or its connection has closed. */
export function onceClosed({ socket }: IncomingMessage, response: ServerResponse, listener: () => void): void {
  // A pipelined response has no socket while it waits, and before Node 24 it gets no event when the socket closes.
  if (response.socket !== null) {
    response.once('close', listener)
    return
  }
  const waiting = waitingFor(socket)
  const settle = () => {
    if (waiting.delete(settle)) listener()
  }
  waiting.add(settle)
  response.once('close', settle)
}

function waitingFor(socket: Socket): Set<() => void> {
  const known = queues.get(socket)
  if (known) return known
  const waiting = new Set<() => void>()
  queues.set(socket, waiting)
  socket.once('close', () => {
    for (const settle of waiting) settle()
  })
  return waiting
}

/** One listener for each socket, regardless of how many requests a client queues on it. */
const queues = new WeakMap<Socket, Set<() => void>>()
