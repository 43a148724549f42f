import type { ServerResponse } from 'node:http'

/** Cuts an answer off so that the client sees that it is incomplete. What was written is sent, but not its end. */
export function cutOff(response: ServerResponse): void {
  const { socket } = response
  // Without an error the client of an HTTP/2 stream sees a complete answer.
  if (response.req.httpVersionMajor >= 2) response.destroy(new Error('The answer was cut off'))
  else if (socket) socket.destroySoon()
  else response.destroy()
}
