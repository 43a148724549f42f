/** Where a relayed stream goes. */
export interface ByteSink {
  /** @returns whether more may come; after `false`, wait for {@link SinkControl.resume} */
  write(chunk: Uint8Array | string): boolean
  /** Ends the answer: complete, or after an error event. */
  end(): void
}

/** What the sink calls back. */
export interface SinkControl {
  resume(): void
  /** The client has left. */
  close(): void
}
