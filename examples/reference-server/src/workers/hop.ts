import { timingSafeEqual } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'

/** The header with which a worker states whose request it passes on. */
export const HOP_HEADER = 'x-trivium-hop'

/** The client's end of a connection to a worker. */
export interface HopClient {
  readonly remoteAddress: string | undefined
  readonly isEncrypted: boolean
}

export const hopHeader = (token: string, { remoteAddress = '', isEncrypted }: HopClient): string =>
  `${token} ${isEncrypted ? 'https' : 'http'} ${remoteAddress}`

const FORM = /^(\S+) (https?) (\S*)$/

/**
 * Makes a server take the client's address and encryption from the worker that passes a request on. A connection
 * without the token of the workers is closed.
 *
 * @param isHop whether a connection is one of a worker. @default each is
 */
export function acceptHops(
  server: EventEmitter,
  token: string,
  isHop: (socket: IncomingMessage['socket']) => boolean = () => true,
): void {
  const { emit } = server
  server.emit = (event: string | symbol, ...given: readonly unknown[]): boolean => {
    const [request] = given
    if (!(request instanceof IncomingMessage) || !isHop(request.socket)) return emit.call(server, event, ...given)
    const stated = takeHeader(request)
    const [, presented = '', scheme, remoteAddress = ''] = FORM.exec(stated ?? '') ?? []
    if (!isSame(presented, token)) {
      request.socket.destroy()
      return true
    }
    if (given[1] instanceof ServerResponse) letWorkerClose(request, given[1])
    // A worker uses a connection for one client's address only.
    Object.defineProperties(request.socket, {
      remoteAddress: { value: remoteAddress === '' ? undefined : remoteAddress, configurable: true },
      encrypted: { value: scheme === 'https', configurable: true },
    })
    return emit.call(server, event, ...given)
  }
}

const LINGER_MS = 5_000

/**
 * Reads the rest of a request that is answered early until the worker closes its connection: a connection that is closed
 * while data waits to be read takes the answer with it.
 */
function letWorkerClose(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request
  response.once('finish', () => request.resume())
  socket.destroySoon = () => {
    socket.end()
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
  }
}

/** Removes the header before anything reads the headers, which Node makes from the raw ones. */
function takeHeader({ rawHeaders }: IncomingMessage): string | undefined {
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === HOP_HEADER)
  return at < 0 ? undefined : rawHeaders.splice(at, 2)[1]
}

function isSame(presented: string, token: string): boolean {
  const [one, other] = [Buffer.from(presented), Buffer.from(token)]
  return one.length === other.length && timingSafeEqual(one, other)
}
