import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Reply } from '../exchange.ts'
import { writeReply } from './write-reply.ts'

/** Answers a request to upgrade with an ordinary reply, and closes the connection. */
export function refuseUpgrade(
  request: IncomingMessage,
  stream: Duplex,
  reply: Reply,
  onFault?: (error: unknown) => void,
): void {
  // Written to the socket, because Node 26 passes a stream of its own as `stream` if the request has a body.
  const { socket } = request
  for (const end of [stream, socket]) end.on('error', () => end.destroy())
  request.resume()
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.once('finish', () => {
    response.detachSocket(socket)
    socket.destroySoon()
  })
  response.once('close', () => socket.destroy())
  writeReply(response, reply, (error) => {
    onFault?.(error)
    return { kind: 'empty', status: 500, headers: {} }
  })
}
