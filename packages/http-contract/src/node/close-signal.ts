import type { IncomingMessage, ServerResponse } from 'node:http'
import { onceClosed } from './once-closed.ts'

/** Returns a signal that aborts when the client disconnects before the response is sent. */
export function closeSignal(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  if (response.writableFinished) return controller.signal
  if (response.destroyed || request.socket?.destroyed) {
    controller.abort()
    return controller.signal
  }
  onceClosed(request, response, () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}
