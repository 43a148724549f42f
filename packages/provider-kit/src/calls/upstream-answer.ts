import type { ByteReceiver, ByteSource } from '@trivium/gateway-core/ports'

/** An answer whose body is paused, with little of it in memory, until `start` is called. Call `start` once. */
export interface UpstreamAnswer {
  /** The status, from 200 on. */
  readonly status: number
  /** Names in lower case, without headers about the connection or the length of the body. */
  readonly headers: Readonly<Record<string, string>>
  /** Pushes the body to a receiver, as {@link ByteReceiver} describes, also during the call. */
  readonly start: (receiver: ByteReceiver) => ByteSource
  /** Resolves with the first bytes, which `start` pushes again; empty if the body has none. Only before `start`. */
  readonly peek: () => Promise<Uint8Array>
}

/** Whether the status is one of 200 to 299. */
export const isSuccess = ({ status }: UpstreamAnswer): boolean => status >= 200 && status < 300

/** Frees the connection of an answer that is not read. Only before `start`. */
export function discard({ start }: UpstreamAnswer): void {
  start({ data: () => false, end: () => {}, failed: () => {} }).cancel()
}
