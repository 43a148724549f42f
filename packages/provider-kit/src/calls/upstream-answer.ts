import type { ByteReceiver, ByteSource } from '@trivium/gateway-core/ports'

/** The head of an answer. Its body waits, with little of it in memory, until `start` is called, once. */
export interface UpstreamAnswer {
  readonly status: number
  /** Names in lower case, without those that speak of the connection or of the body's length. */
  readonly headers: Readonly<Record<string, string>>
  /** Pushes the body. What a {@link ByteReceiver} may expect holds for it. */
  readonly start: (receiver: ByteReceiver) => ByteSource
  /** The first bytes, which `start` gives again; empty where the body ended without any. Before `start` only. */
  readonly peek: () => Promise<Uint8Array>
}

/** Whether the status is one of 200 to 299. */
export const isGood = ({ status }: UpstreamAnswer): boolean => status >= 200 && status < 300

/** Frees the connection of an answer that no one reads. */
export function discard({ start }: UpstreamAnswer): void {
  start({ data: () => false, end: () => {}, failed: () => {} }).cancel()
}
