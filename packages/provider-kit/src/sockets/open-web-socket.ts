import '#supported-node'
import {
  type ProviderErrorInit,
  ProviderFailure,
  type RealtimeReceiver,
  type RealtimeUpstream,
  toProviderError,
} from '@trivium/gateway-core/ports'
import { type Dispatcher, WebSocket } from 'undici'
import { upstreamFailures } from '../answers/upstream-failures.ts'

/** One WebSocket to an upstream. */
export interface WebSocketRequest {
  /** A `ws` or `wss` URL. */
  readonly url: URL
  /** Headers of the handshake. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Opens the connection, such as a proxy agent. @default undici's global one */
  readonly dispatcher?: Dispatcher | undefined
}

/** How long a WebSocket to an upstream may take and last. */
export interface WebSocketContext {
  /** Ends the WebSocket immediately when it aborts. */
  readonly signal: AbortSignal
  /** Until the handshake is complete. */
  readonly connectTimeoutMs: number
}

const NORMAL = 1000
const NO_STATUS = 1005
/** The time that an upstream has to answer the closing handshake. */
const CLOSING_MS = 1_000

/**
 * Opens a WebSocket. Resolves once the upstream has accepted it. Rejects with `ProviderFailure` if it does not. Messages
 * pass to the receiver until `closed`, which is called once.
 */
export function openWebSocket(
  { url, headers, dispatcher }: WebSocketRequest,
  receiver: RealtimeReceiver,
  { signal, connectTimeoutMs }: WebSocketContext,
): Promise<RealtimeUpstream> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new ProviderFailure(upstreamFailures.cancelled))
      return
    }
    const socket = new WebSocket(url, { headers: { ...headers }, ...(dispatcher && { dispatcher }) })
    socket.binaryType = 'arraybuffer'
    let isOpen = false
    let isOver = false
    const end = (failure: ProviderErrorInit | undefined, code = NO_STATUS, reason = '') => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      socket.close()
      if (isOpen) receiver.closed(code, reason, failure && toProviderError(failure))
      else reject(new ProviderFailure(failure ?? notAccepted))
    }
    const abort = () => end(upstreamFailures.cancelled)
    const timer = setTimeout(() => end(upstreamFailures.connectTimedOut), connectTimeoutMs)
    signal.addEventListener('abort', abort)
    socket.addEventListener('open', () => {
      if (isOver) return
      isOpen = true
      clearTimeout(timer)
      resolve({
        send: (message) => {
          if (!isOver) socket.send(message)
        },
        get bufferedBytes() {
          return socket.bufferedAmount
        },
        close: () => {
          socket.close(NORMAL)
          setTimeout(() => end(undefined), CLOSING_MS).unref()
        },
      })
    })
    socket.addEventListener('message', ({ data }: { readonly data: unknown }) => {
      if (isOver) return
      if (typeof data === 'string') receiver.message(data)
      else if (data instanceof ArrayBuffer) receiver.message(new Uint8Array(data))
    })
    socket.addEventListener('error', () => end(isOpen ? upstreamFailures.interrupted : notAccepted))
    socket.addEventListener('close', ({ code, reason, wasClean }) =>
      end(wasClean ? undefined : upstreamFailures.interrupted, code, reason),
    )
  })
}

/** The upstream's status is unknown: undici does not report that of a handshake. */
const notAccepted: ProviderErrorInit = {
  type: 'unreachable',
  message: 'The upstream did not accept the WebSocket.',
}
