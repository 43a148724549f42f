import type { Route, SocketRoute } from '@trivium/http-contract'
import type { FuzzRequest } from '../fuzz-request.ts'
import type { FuzzReply } from '../replies/fuzz-reply.ts'

/** A way to send requests to routes. */
export interface OpenTransport {
  /** Sends a request. Rejects without a valid answer. @returns `undefined` where the request cannot be sent this way */
  send(request: FuzzRequest): Promise<FuzzReply | undefined>
  close(): Promise<void>
}

export interface Mounted {
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
  /** Returns whether the answer of the operation that was reached last can be endless. */
  readonly isEndless: () => boolean
}

export type Transport = (mounted: Mounted) => Promise<OpenTransport>

/** The most bytes that are read of an endless answer. */
export const MAX_BYTES = 2 ** 21

/** The time without data after which an endless stream is no longer read. */
export const QUIET_MS = 10
