import type { RfbChannel } from '@novnc/novnc'
import type { ClientSocket } from '@trivium/http-client'

/** A socket as noVNC takes it. */
export interface SocketChannel extends RfbChannel {
  /** Passes on what arrives, until the socket is closed. Called once noVNC has its listeners. */
  run(): Promise<void>
}

export function socketChannel(socket: ClientSocket): SocketChannel {
  let readyState = 'open'
  return {
    binaryType: 'arraybuffer',
    protocol: '',
    get readyState() {
      return readyState
    },
    onopen: null,
    onerror: null,
    onclose: null,
    onmessage: null,
    // noVNC uses its buffer again after the call.
    send: (data) => socket.send(data.slice()),
    close: () => socket.close(),
    async run() {
      for await (const message of socket.messages) {
        const bytes = typeof message === 'string' ? new TextEncoder().encode(message) : message
        this.onmessage?.({ data: bytes.buffer })
      }
      readyState = 'closed'
      const { code, reason } = await socket.closed
      this.onclose?.({ code, reason, wasClean: code !== 1006 })
    },
  }
}
