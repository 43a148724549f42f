import {
  Agent,
  type IncomingMessage,
  request as openRequest,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { TLSSocket } from 'node:tls'
import { discardBody } from '@trivium/http-contract/node'
import { unavailable } from '../serve/unrouted-replies.ts'
import type { HopAddress } from './calls.ts'
import { HOP_HEADER, hopHeader } from './hop.ts'

/** Headers of one connection, which the next one has of its own. */
const ofConnection: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'upgrade', 'http2-settings', 'expect', HOP_HEADER],
])
const ofAnswer: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding'])

/** Passes requests on to the private listener of the primary, with their bodies and answers as they arrive. */
export function forwardRequests({ path: socketPath, token }: HopAddress): RequestListener {
  const agent = new Agent({ keepAlive: true })
  return (request, response) => {
    const client = hopHeader(token, clientOf(request))
    const headers = [...without(request.rawHeaders, ofConnection), HOP_HEADER, client]
    if (request.headers.host === undefined) headers.push('host', 'localhost')
    const { method, url: path } = request
    // The agent has connections for each `host`, which a path replaces: so each belongs to one client's address.
    const outgoing = openRequest({ agent, socketPath, host: client, method, path, headers })
    let isAnswered = false
    outgoing.once('response', (answer) => {
      isAnswered = true
      if (!request.complete) {
        request.unpipe(outgoing)
        discardBody(request, request)
      }
      passOn(answer, response)
    })
    outgoing.on('error', () => {
      // The answer reports its own failures.
      if (!isAnswered) refuse(response)
    })
    response.once('close', () => outgoing.destroy())
    request.pipe(outgoing)
  }
}

/** Returns the client's end of a connection. */
export const clientOf = ({ socket }: IncomingMessage) => ({
  remoteAddress: socket.remoteAddress,
  isEncrypted: socket instanceof TLSSocket,
})

/** Returns raw headers without those of some names. */
export const without = (rawHeaders: readonly string[], names: ReadonlySet<string>): string[] =>
  rawHeaders.filter((_, index) => !names.has(rawHeaders[index - (index % 2)]?.toLowerCase() ?? ''))

function passOn(answer: IncomingMessage, response: ServerResponse): void {
  const { statusCode = 502, statusMessage = '', headers } = answer
  // A client that still sends its body must not send a further request.
  if (headers.connection === 'close') response.shouldKeepAlive = false
  response.sendDate = false
  response.writeHead(statusCode, statusMessage, without(answer.rawHeaders, ofAnswer))
  // The first event of a stream may come much later.
  if (headers['content-length'] === undefined) response.flushHeaders()
  answer.once('error', () => response.destroy())
  answer.pipe(response)
}

function refuse(response: ServerResponse): void {
  const { status, body } = unavailable
  const headers = { 'content-type': 'application/json', 'retry-after': '1', connection: 'close' }
  response.writeHead(status, headers).end(JSON.stringify(body))
}
