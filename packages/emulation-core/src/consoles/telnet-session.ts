import { consoleServer, createTelnetDecoder } from './telnet.ts'
import { createWebGuard } from './web-guard.ts'

/** The connection of a console port, and the listeners of its events. */
export interface TelnetSessionOptions {
  /** Queues negotiation bytes for the client. Send output of the program through `encodeTelnet`. */
  readonly send: (bytes: Uint8Array) => void
  /** Ends the connection. Called at most once, where a web page made it. */
  readonly hangUp: () => void
  /** Called with input, without telnet commands. */
  readonly data: (bytes: Uint8Array) => void
  /**
   * Called with the size of the client's window in characters. 0 leaves a dimension open.
   *
   * @default sizes are dropped
   */
  readonly resize?: (columns: number, rows: number) => void
}

/** One connection of a console port. */
export interface TelnetSession {
  /** Takes received bytes, in order. */
  push(bytes: Uint8Array): void
  /** Must be called once the connection has ended. Drops bytes that are held back. */
  end(): void
}

/**
 * Opens the console's side of a telnet connection. It sends the greeting first, and ends connections of web pages
 * before one of their bytes is passed on. First bytes that may begin a request of a browser are held back for 250 ms.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:net'
 * import { encodeTelnet, openTelnetSession } from '@trivium/emulation-core/ports'
 *
 * // Echoes what is typed.
 * createServer((socket) => {
 *   const session = openTelnetSession({
 *     send: (bytes) => socket.write(bytes),
 *     hangUp: () => socket.destroy(),
 *     data: (bytes) => socket.write(encodeTelnet(bytes)),
 *   })
 *   socket.on('data', session.push).on('error', () => socket.destroy()).on('close', session.end)
 * }).listen(2000, '127.0.0.1')
 * ```
 */
export function openTelnetSession({ send, hangUp, data, resize }: TelnetSessionOptions): TelnetSession {
  let size: readonly [columns: number, rows: number] | undefined
  const passSize = () => {
    if (size !== undefined) resize?.(...size)
    size = undefined
  }
  const guard = createWebGuard({
    pass: (bytes) => {
      passSize()
      data(bytes)
    },
    refuse: hangUp,
  })
  const telnet = createTelnetDecoder(consoleServer, {
    data: guard.push,
    reply: send,
    resize: (columns, rows) => {
      size = [columns, rows]
    },
  })
  send(telnet.greeting)
  return {
    push: (bytes) => {
      telnet.push(bytes)
      // The text of the same chunk comes first: it may show that a web page has sent it.
      if (!guard.isClosed) passSize()
    },
    end: guard.end,
  }
}
