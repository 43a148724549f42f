import type { SocketContract, SocketOperation } from '@trivium/http-contract'
import type { SocketRequestTo } from './request-types.ts'
import { requestUrl, type UrlParts } from './request-url.ts'

/** Options of {@link createSocketClient}. */
export interface SocketClientOptions {
  /**
   * The prefix of every path, with `ws:`, `wss:`, `http:` or `https:`. In a page it can be a path without an origin.
   *
   * @default ''
   */
  readonly baseUrl?: string
  /** Opens the sockets. @default the platform's */
  readonly WebSocket?: new (
    url: string,
  ) => WebSocket
}

/** An open WebSocket. */
export interface ClientSocket {
  /** Sends a string as text, bytes as binary. Ignored once closed. */
  send(message: string | Uint8Array<ArrayBuffer>): void
  /**
   * Starts the closing handshake. Ignored once closed.
   *
   * @param code 1000, or 3000 to 4999; without it, the server sees 1005
   * @param reason at most 123 bytes of UTF-8
   * @throws DOMException if the code or the reason is not valid
   */
  close(code?: number, reason?: string): void
  /**
   * All messages since the socket opened. Iterate it once. It ends when the socket closes, and leaving the loop closes
   * the socket.
   */
  readonly messages: AsyncGenerator<string | Uint8Array<ArrayBuffer>, void, undefined>
  /** Resolves when the socket is closed, regardless of which side closed it. Never rejects. */
  readonly closed: Promise<SocketEnd>
}

/** How a socket was closed. */
export interface SocketEnd {
  /** The code of the close frame; 1005 if it had none, 1006 if the connection was cut. */
  readonly code: number
  /** The reason of the close frame; empty if it had none. */
  readonly reason: string
}

/** The server did not open the socket. Browsers do not report the reason. */
export class SocketRefusedError extends Error {
  override readonly name = 'SocketRefusedError'
}

/**
 * One method for each socket. It resolves once the socket is open. It rejects with `SocketRefusedError` if it is
 * refused, with `TypeError` if a parameter of the path is missing, empty, `.` or `..`, and with the reason of `signal`
 * if that aborts before.
 */
export type SocketClient<C extends SocketContract> = {
  readonly [Id in keyof C]: (
    ...request: Record<never, never> extends SocketRequestTo<C[Id]>
      ? [request?: SocketRequestTo<C[Id]>]
      : [request: SocketRequestTo<C[Id]>]
  ) => Promise<ClientSocket>
}

/**
 * Creates a client with one method for each socket of a contract, typed by its schemas. Nothing is checked when it
 * runs. Aborting the `signal` of a request closes its socket.
 *
 * @example
 * ```ts
 * import { createSocketClient } from '@trivium/http-client'
 * import { defineSockets } from '@trivium/http-contract'
 *
 * const contract = defineSockets({ echo: { path: '/lab/echo' } })
 * const socket = await createSocketClient(contract, { baseUrl: 'http://127.0.0.1:3000' }).echo()
 * socket.send('Hello')
 * for await (const message of socket.messages) {
 *   console.log(message)
 *   break
 * }
 * ```
 */
export function createSocketClient<const C extends SocketContract>(
  contract: C,
  options: SocketClientOptions = {},
): SocketClient<C> {
  const methods = Object.entries(contract).map(([id, operation]) => [id, openerOf(operation, options)])
  // The keys are those of the contract, which the compiler cannot derive.
  return Object.fromEntries(methods) as SocketClient<C>
}

interface AnySocketRequest extends UrlParts {
  readonly signal?: AbortSignal
}

function openerOf({ path }: SocketOperation, { baseUrl = '', WebSocket = globalThis.WebSocket }: SocketClientOptions) {
  return async ({ signal, ...parts }: AnySocketRequest = {}): Promise<ClientSocket> => {
    signal?.throwIfAborted()
    const socket = new WebSocket(socketUrl(requestUrl(baseUrl, path, parts)))
    socket.binaryType = 'arraybuffer'
    const opened = openSocket(socket)
    const abort = () => socket.close()
    signal?.addEventListener('abort', abort, { once: true })
    socket.addEventListener('close', () => signal?.removeEventListener('abort', abort))
    return opened.catch((error: unknown) => {
      signal?.throwIfAborted()
      throw error
    })
  }
}

function socketUrl(url: string): string {
  const absolute = new URL(url, globalThis.location?.href)
  absolute.protocol = absolute.protocol.replace(/^http/, 'ws')
  return absolute.href
}

function openSocket(socket: WebSocket): Promise<ClientSocket> {
  return new Promise((resolve, reject) => {
    const arrived: (string | Uint8Array<ArrayBuffer>)[] = []
    let wake = () => {}
    const refuse = () =>
      reject(new SocketRefusedError(`The server did not open the socket at ${new URL(socket.url).pathname}`))
    // Node 22 does not close a socket that was refused.
    socket.addEventListener('error', refuse)
    // Added now, because a message may arrive before the first read.
    socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
      arrived.push(typeof data === 'string' ? data : new Uint8Array(data))
      wake()
    })
    const closed = new Promise<SocketEnd>((settle) => {
      socket.addEventListener('close', ({ code, reason }) => {
        settle({ code, reason })
        wake()
        refuse()
      })
    })
    async function* messages() {
      try {
        for (;;) {
          const next = arrived.shift()
          if (next !== undefined) yield next
          else if (socket.readyState === socket.CLOSED) return
          else
            await new Promise<void>((woken) => {
              wake = woken
            })
        }
      } finally {
        socket.close()
      }
    }
    socket.addEventListener('open', () =>
      resolve({
        send: (message) => {
          if (socket.readyState === socket.OPEN) socket.send(message)
        },
        close: (code, reason) => socket.close(code, reason),
        messages: messages(),
        closed,
      }),
    )
  })
}
