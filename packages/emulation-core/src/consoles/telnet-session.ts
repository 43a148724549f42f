import { consoleServer, createTelnetDecoder } from './telnet.ts'
import { createWebGuard } from './web-guard.ts'

/** The connection of a console port, and the listeners of its events. */
export interface TelnetSessionOptions {
  /** Queues bytes for the client. */
  readonly send: (bytes: Uint8Array) => void
  /** Ends the connection. */
  readonly hangUp: () => void
  /** Called with input, without telnet commands. */
  readonly data: (bytes: Uint8Array) => void
  /** Called with the size of the client's window. */
  readonly resize?: (columns: number, rows: number) => void
}

/** One connection of a console port. */
export interface TelnetSession {
  /** Takes received bytes, in order. */
  push(bytes: Uint8Array): void
  /** Must be called once the connection has ended. */
  end(): void
}

/**
 * Opens the console's side of a telnet connection. It sends the greeting first, and ends connections of web pages
 * before one of their bytes is passed on. Every TCP port that takes typed text uses it.
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
