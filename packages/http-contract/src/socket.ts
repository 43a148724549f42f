import type { Promisable } from 'type-fest'
import type { GenericSchema, InferOutput } from 'valibot'
import type { RefusalReason } from './access/refusal.ts'
import type { CallerIdentity } from './answered-request.ts'
import type { Exchange, Reply } from './exchange.ts'

/** A WebSocket endpoint as data without code, like {@link Operation}. */
export interface SocketOperation {
  readonly path: `/${string}`
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly params?: GenericSchema
  readonly query?: GenericSchema
  /** The most bytes of one incoming message; a larger one closes the socket with 1009. @default 64 KiB */
  readonly messageLimit?: number
}

/** Sockets by their ids. */
export type SocketContract = Readonly<Record<string, SocketOperation>>

/** Returns the contract of sockets unchanged, with its literal types. */
export const defineSockets = <const C extends SocketContract>(contract: C): C => contract

/** One open WebSocket, independent of the library that implements it. Add listeners while it is being opened. */
export interface Socket {
  /**
   * Queues a message, a string as text and bytes as binary. Ignored once closed. Cuts the connection off if more bytes
   * wait for a slow reader than the transport's limit.
   */
  send(message: string | Uint8Array): void
  /** Bytes that are queued and not yet sent, for writers that slow down for slow readers. */
  readonly bufferedBytes: number
  close(code?: number, reason?: string): void
  onMessage(listener: (message: string | Uint8Array) => void): void
  /** Called once, regardless of which side closed. */
  onClose(listener: () => void): void
}

type SocketPart<O extends SocketOperation, Part extends 'params' | 'query'> = O[Part] extends GenericSchema
  ? InferOutput<O[Part]>
  : undefined

/** The argument of a socket's handler: checked parts, and the caller that `admit` returned. */
export interface SocketCall<O extends SocketOperation = SocketOperation, Caller = unknown> {
  readonly params: SocketPart<O, 'params'>
  readonly query: SocketPart<O, 'query'>
  readonly caller: Caller
}

/** Opens the socket, or refuses the upgrade with an ordinary reply. */
export type SocketVerdict = SocketOpening | SocketRefusal

/** A verdict that opens a socket. */
export interface SocketOpening {
  readonly open: (socket: Socket) => void
  /** The identity of the caller, for logs. */
  readonly identity?: CallerIdentity
}

/** A verdict that refuses an upgrade. */
export interface SocketRefusal {
  readonly reply: Reply
  /** Present where the caller is not admitted. */
  readonly reason?: RefusalReason
  /** The identity of the refused caller, for logs. */
  readonly identity?: CallerIdentity
}

export type SocketHandlers<C extends SocketContract, Caller = unknown> = {
  readonly [Id in keyof C]: (call: SocketCall<C[Id], Caller>) => Promisable<SocketVerdict>
}

/** A request to upgrade, which has no body. */
export type SocketExchange = Omit<Exchange, 'body'>

/** One WebSocket endpoint with its handler, for transports to mount. */
export interface SocketRoute {
  readonly id: string
  readonly operation: SocketOperation
  /** Decides about an upgrade before the handshake. Never rejects. */
  readonly accept: (exchange: SocketExchange) => Promise<SocketVerdict>
  /** Receives what a listener of an open socket threw. The transport then closes that socket with 1011. */
  readonly onFault: (error: unknown) => void
  /** `lenient`: doubled slashes count as one, and a trailing slash is ignored. */
  readonly slashes: 'exact' | 'lenient'
}
