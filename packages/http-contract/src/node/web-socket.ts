import type { WebSocket } from 'ws'
import type { Socket, SocketRoute } from '../socket.ts'

export interface WebSocketLimits {
  /** The most bytes that may wait for a slow reader. */
  readonly bufferLimit: number
}

const GOING_AWAY = 1001
const INTERNAL_ERROR = 1011

/** Wraps a socket of `ws` as a socket of the contract. */
export function wrapWebSocket(
  webSocket: WebSocket,
  route: Pick<SocketRoute, 'operation' | 'onFault'>,
  { bufferLimit }: WebSocketLimits,
): Socket {
  const guard = <Arguments extends readonly unknown[]>(listener: (...given: Arguments) => void) => {
    return (...given: Arguments) => {
      try {
        listener(...given)
      } catch (error) {
        route.onFault(error)
        webSocket.close(INTERNAL_ERROR)
      }
    }
  }
  webSocket.on('error', () => undefined)
  return {
    send: (message) => {
      if (webSocket.readyState !== webSocket.OPEN) return
      const length = typeof message === 'string' ? Buffer.byteLength(message) : message.byteLength
      // A close frame would wait after the bytes that the reader does not take.
      if (webSocket.bufferedAmount + length > bufferLimit) webSocket.terminate()
      else webSocket.send(message)
    },
    get bufferedBytes() {
      return webSocket.bufferedAmount
    },
    close: (code, reason) => webSocket.close(code, reason),
    onMessage: (listener) => {
      const guarded = guard(listener)
      webSocket.on('message', (data, isBinary) => guarded(isBinary ? toBytes(data) : String(data)))
    },
    onClose: (listener) => void webSocket.once('close', guard(listener)),
  }
}

function toBytes(data: Buffer | ArrayBuffer | Buffer[]): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data)
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data
}

/** Pings a socket at an interval, and cuts it off if it has not answered by the next ping. */
export function keepAlive(webSocket: WebSocket, seconds: number): void {
  let answered = true
  webSocket.on('pong', () => {
    answered = true
  })
  const timer = setInterval(() => {
    if (!answered) return webSocket.terminate()
    answered = false
    webSocket.ping()
  }, seconds * 1000)
  timer.unref()
  webSocket.once('close', () => clearInterval(timer))
}

/** Closes a socket with 1001, and cuts it off if the client does not answer within 1 second. */
export function closeWebSocket(webSocket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => webSocket.terminate(), 1000)
    webSocket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    webSocket.close(GOING_AWAY)
  })
}
