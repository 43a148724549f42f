import { consoleServer, createTelnetDecoder } from './telnet.ts'
import { createWebGuard } from './web-guard.ts'

/** The other end of a console port, and what hears of it. */
export interface TelnetSessionOptions {
  /** Queues bytes for the client. */
  readonly send: (bytes: Uint8Array) => void
  /** Ends the connection. */
  readonly hangUp: () => void
  /** What is typed, without telnet's commands. */
  readonly data: (bytes: Uint8Array) => void
  /** The size of the client's window. */
  readonly resize?: (columns: number, rows: number) => void
}

/** One connection of a console port. */
export interface TelnetSession {
  /** Bytes of the connection, in order. */
  push(bytes: Uint8Array): void
  /** To be called once the connection has ended. */
  end(): void
}

/**
 * The console's side of a telnet connection. It greets first, and hangs up on web pages before a byte of theirs is
 * heard: every TCP port that takes typed text begins with it.
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
      // After the text of the same chunk: it may be a page's.
      if (!guard.isClosed) passSize()
    },
    end: guard.end,
  }
}
