import type { ServerResponse } from 'node:http'

/** Cuts an answer off so that the client sees that it is incomplete. What was written is sent, but not its end. */
export function cutOff(response: ServerResponse): void {
  const { socket } = response
  if (socket && response.req.httpVersionMajor < 2) socket.destroySoon()
  else response.destroy()
}
