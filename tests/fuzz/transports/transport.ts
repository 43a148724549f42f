import type { Route, SocketRoute } from '@trivium/http-contract'
import type { FuzzRequest } from '../fuzz-request.ts'
import type { FuzzReply } from '../replies/fuzz-reply.ts'

/** How requests get to routes. */
export interface OpenTransport {
  /** @returns `undefined` where the request can't be sent this way. Rejects where no proper answer comes. */
  send(request: FuzzRequest): Promise<FuzzReply | undefined>
  close(): Promise<void>
}

export interface Mounted {
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
  /** Whether the answer of what was reached last need not end. */
  readonly isEndless: () => boolean
}

export type Transport = (mounted: Mounted) => Promise<OpenTransport>

/** The most that is read of an endless answer. */
export const MAX_BYTES = 2 ** 21

/** An endless stream that is silent for that long has told enough. */
export const QUIET_MS = 10
