/** Opens the public console ports: plain TCP, on the addresses that the implementation is configured with. */
export interface ConsoleListener {
  /**
   * Resolves when the port accepts connections. Rejects with a `Refusal` (`unavailable`) where it cannot be bound.
   *
   * @param accept is called with each connection, and returns the listeners of its events
   */
  listen(port: number, accept: (connection: ConsoleConnection) => ConsoleConnectionEvents): Promise<OpenConsole>
}

/** The connection of one client to a console port. */
export interface ConsoleConnection {
  /** The address of the client; absent where the listener does not have it. */
  readonly remoteAddress?: string | undefined
  /** Queues bytes. Ignored once closed. */
  send(bytes: Uint8Array): void
  /** Bytes that are queued and not yet taken by the operating system. The hub closes viewers for which this grows. */
  readonly bufferedBytes: number
  /** Sends queued bytes that can be sent immediately, then closes. */
  close(): void
}

/** Listeners of the events of a connection. */
export interface ConsoleConnectionEvents {
  /** Called with the received bytes, in order. */
  readonly data: (bytes: Uint8Array) => void
  /** Called once, after either side has closed. */
  readonly closed: () => void
}

/** A console port that listens. */
export interface OpenConsole {
  /** Stops listening and closes its connections. Resolves when the port is free again. */
  close(): Promise<void>
}
