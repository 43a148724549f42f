import type { Promisable } from 'type-fest'
import type { GenericSchema, InferOutput } from 'valibot'
import type { RefusalReason } from './access/refusal.ts'
import type { CallerIdentity } from './answered-request.ts'
import type { Exchange, Reply } from './exchange.ts'

/** A WebSocket endpoint. Data only, as {@link Operation}. */
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

/** Keeps the literal types of a contract of sockets; it changes nothing. */
export const defineSockets = <const C extends SocketContract>(contract: C): C => contract

/** One open WebSocket, without the library that carries it. Listeners are added while it is being opened. */
export interface Socket {
  /**
   * Queues a message: a string as text, bytes as binary. Ignored once closed. A reader that lets more pile up than the
   * transport's limit is cut off.
   */
  send(message: string | Uint8Array): void
  /** Bytes that are queued and not yet sent: a writer that cares for slow readers looks here. */
  readonly bufferedBytes: number
  close(code?: number, reason?: string): void
  onMessage(listener: (message: string | Uint8Array) => void): void
  /** Called once, whoever closed. */
  onClose(listener: () => void): void
}

type SocketPart<O extends SocketOperation, Part extends 'params' | 'query'> = O[Part] extends GenericSchema
  ? InferOutput<O[Part]>
  : undefined

/** What a handler of a socket gets: checked parts, and the caller that `admit` gave. */
export interface SocketCall<O extends SocketOperation = SocketOperation, Caller = unknown> {
  readonly params: SocketPart<O, 'params'>
  readonly query: SocketPart<O, 'query'>
  readonly caller: Caller
}

/** Takes the socket, or refuses the upgrade with an ordinary reply. */
export type SocketVerdict = SocketOpening | SocketRefusal

/** What takes a socket. */
export interface SocketOpening {
  readonly open: (socket: Socket) => void
  /** Who opens it, for records. */
  readonly identity?: CallerIdentity
}

/** What refuses an upgrade. */
export interface SocketRefusal {
  readonly reply: Reply
  /** Present where the caller was not let in. */
  readonly reason?: RefusalReason
  /** Who was refused, for records. */
  readonly identity?: CallerIdentity
}

export type SocketHandlers<C extends SocketContract, Caller = unknown> = {
  readonly [Id in keyof C]: (call: SocketCall<C[Id], Caller>) => Promisable<SocketVerdict>
}

/** A request to upgrade; it has no body. */
export type SocketExchange = Omit<Exchange, 'body'>

/** One WebSocket endpoint with its code, as transports mount it. */
export interface SocketRoute {
  readonly id: string
  readonly operation: SocketOperation
  /** Decides before the handshake. Never rejects. */
  readonly accept: (exchange: SocketExchange) => Promise<SocketVerdict>
  /** Told what a listener of an open socket threw; the transport closes that socket with 1011. */
  readonly onFault: (error: unknown) => void
  /** `lenient`: doubled slashes count as one and a trailing one is ignored. */
  readonly slashes: 'exact' | 'lenient'
}
