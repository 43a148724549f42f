/** The display of a running instance: a server that serves several connections at the same time. */
export interface DisplayEndpoint {
  /** `vnc` for RFB. */
  readonly protocol: DisplayProtocol
  /** Resolves when the server has accepted a connection. Rejects with a `Refusal` where it does not. */
  connect(events: DisplayEvents): Promise<DisplayConnection>
}

/** The protocol of a display. */
export type DisplayProtocol = 'vnc' | 'spice'

/** Listeners of a connection to a display. */
export interface DisplayEvents {
  /** Called with bytes of the server, in order. */
  readonly data: (bytes: Uint8Array) => void
  /** Called once, after either side has closed. */
  readonly closed: () => void
}

/** One connection to a display. */
export interface DisplayConnection {
  /** Queues bytes for the server. Ignored once closed. */
  write(bytes: Uint8Array): void
  /** Bytes that are queued for the server. */
  readonly bufferedBytes: number
  /** Stops reading, so that the server has to wait. */
  pause(): void
  /** Continues to read after {@link pause}. */
  resume(): void
  close(): void
}
