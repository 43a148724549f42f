import type { ServerResponse } from 'node:http'

/** Ends an answer so that the client sees that it is not whole: what was written goes out, its end does not. */
export function breakOff(response: ServerResponse): void {
  const { socket } = response
  if (socket && response.req.httpVersionMajor < 2) socket.destroySoon()
  else response.destroy()
}
