/** The destination of a relayed stream. */
export interface ByteSink {
  /** @returns whether the sink accepts more; after `false`, wait for {@link SinkControl.resume} */
  write(chunk: Uint8Array | string): boolean
  /** Ends the answer, complete or after an error event. */
  end(): void
}

/** What the owner of a sink calls. */
export interface SinkControl {
  resume(): void
  /** The client has disconnected. */
  close(): void
}
