/** Opens the public console ports: plain TCP, on the host and address that the implementation was made for. */
export interface ConsoleListener {
  /**
   * Resolves when the port accepts connections; rejects with a `Refusal` (`unavailable`) when it can't be bound.
   *
   * @param accept is called with each connection, and says what hears of it
   */
  listen(port: number, accept: (connection: ConsoleConnection) => ConsoleConnectionEvents): Promise<OpenConsole>
}

/** One client of a console port, as the hub sees it. */
export interface ConsoleConnection {
  /** Where it comes from; absent where the listener does not know. */
  readonly remoteAddress?: string | undefined
  /** Queues bytes; ignored once closed. */
  send(bytes: Uint8Array): void
  /** Queued and not yet taken by the operating system: the hub drops viewers that let this grow. */
  readonly bufferedBytes: number
  /** Sends what is queued where that goes at once, then closes. */
  close(): void
}

/** What the hub learns of a connection. */
export interface ConsoleConnectionEvents {
  /** Bytes as they arrived, in order. */
  readonly data: (bytes: Uint8Array) => void
  /** Called once, whoever closed. */
  readonly closed: () => void
}

/** A port that listens. */
export interface OpenConsole {
  /** Stops listening and closes its connections. */
  close(): Promise<void>
}
