import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Returns a signal that aborts when the client disconnects before the response is sent. */
export function closeSignal(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const { socket } = request
  if (response.writableFinished) return controller.signal
  if (response.destroyed || socket?.destroyed) {
    controller.abort()
    return controller.signal
  }
  const abort = () => {
    if (!response.writableFinished) controller.abort()
  }
  response.once('close', abort)
  // A pipelined response has no socket while it waits, and before Node 24 it gets no event when the socket closes.
  if (response.socket === null) {
    const waiting = waitingFor(socket)
    waiting.add(abort)
    response.once('close', () => waiting.delete(abort))
  }
  return controller.signal
}

function waitingFor(socket: Socket): Set<() => void> {
  const known = queues.get(socket)
  if (known) return known
  const waiting = new Set<() => void>()
  queues.set(socket, waiting)
  socket.once('close', () => {
    for (const abort of waiting) abort()
  })
  return waiting
}

/** One listener for each socket, regardless of how many requests a client queues on it. */
const queues = new WeakMap<Socket, Set<() => void>>()
