import type { Promisable } from 'type-fest'
import type { GenericSchema, InferOutput } from 'valibot'
import type { RefusalReason } from './access/refusal.ts'
import type { CallerIdentity } from './answered-request.ts'
import type { Exchange, Reply } from './exchange.ts'

/** A WebSocket endpoint as data without code, like {@link Operation}. */
export interface SocketOperation {
  /** The route template, in the syntax of {@link Operation}. */
  readonly path: `/${string}`
  /** One line for the OpenAPI document: a verb and its object, without a full stop. @default none */
  readonly summary?: string
  /** Sentences for the OpenAPI document. @default none */
  readonly description?: string
  /** The groups of the socket in the OpenAPI document. @default none */
  readonly tags?: readonly string[]
  /** The schema of the path's parameters, by name. Values are strings. @default handlers get `undefined` */
  readonly params?: GenericSchema
  /**
   * The schema of the decoded query string. A name that occurs more than once has an array of strings.
   *
   * @default any query is accepted, and handlers get `undefined`
   */
  readonly query?: GenericSchema
  /** The most bytes of one incoming message; a larger one closes the socket with 1009. @default 64 KiB */
  readonly messageLimit?: number
}

/** Sockets by their ids. */
export type SocketContract = Readonly<Record<string, SocketOperation>>

/** Returns the contract of sockets unchanged, with its literal types. */
export const defineSockets = <const C extends SocketContract>(contract: C): C => contract

/**
 * One open WebSocket, independent of the library that implements it. Add listeners while it is being opened: messages
 * that arrive before their listener are lost. A listener that throws is a fault, and closes the socket with 1011.
 */
export interface Socket {
  /**
   * Queues a message, a string as text and bytes as binary. Ignored once closed. Cuts the connection off if more bytes
   * wait for a slow reader than the transport's limit.
   */
  send(message: string | Uint8Array): void
  /** Bytes that are queued and not yet sent, for writers that slow down for slow readers. */
  readonly bufferedBytes: number
  /**
   * Starts the closing handshake. Ignored once closed.
   *
   * @param code 1000 to 1014 except 1004 to 1006, or 3000 to 4999; without it, the client sees 1005
   * @param reason at most 123 bytes of UTF-8; ignored without a code
   * @throws TypeError if the code is not valid, RangeError if the reason is too long
   */
  close(code?: number, reason?: string): void
  /** Adds a listener for messages: a string for text, bytes for binary. */
  onMessage(listener: (message: string | Uint8Array) => void): void
  /** Called once, regardless of which side closed. */
  onClose(listener: () => void): void
}

type SocketPart<O extends SocketOperation, Part extends 'params' | 'query'> = O[Part] extends GenericSchema
  ? InferOutput<O[Part]>
  : undefined

/**
 * The argument of a socket's handler: the outputs of its schemas, each `undefined` where it has none, and the caller
 * that `admit` returned.
 */
export interface SocketCall<O extends SocketOperation = SocketOperation, Caller = unknown> {
  readonly params: SocketPart<O, 'params'>
  readonly query: SocketPart<O, 'query'>
  readonly caller: Caller
}

/** Opens the socket, or refuses the upgrade with an ordinary reply. */
export type SocketVerdict = SocketOpening | SocketRefusal

/** A verdict that opens a socket. */
export interface SocketOpening {
  /** Called after the handshake. What it throws is a fault, and closes the socket with 1011. */
  readonly open: (socket: Socket) => void
  /** The identity of the caller, for logs. */
  readonly identity?: CallerIdentity
}

/** A verdict that refuses an upgrade. */
export interface SocketRefusal {
  /** Written as an ordinary answer, after which the connection is closed. */
  readonly reply: Reply
  /** Present where the caller is not admitted. */
  readonly reason?: RefusalReason
  /** The identity of the refused caller, for logs. */
  readonly identity?: CallerIdentity
}

/** One function for each socket, which decides about an upgrade. What it throws goes to `onFault`. */
export type SocketHandlers<C extends SocketContract, Caller = unknown> = {
  readonly [Id in keyof C]: (call: SocketCall<C[Id], Caller>) => Promisable<SocketVerdict>
}

/** A request to upgrade, which has no body. */
export type SocketExchange<Host = unknown> = Omit<Exchange<Host>, 'body' | 'closing'>

/** One WebSocket endpoint with its handler, for transports to mount. */
export interface SocketRoute<Host = unknown> {
  /** The socket's id in the contract. */
  readonly id: string
  readonly operation: SocketOperation
  /** Decides about an upgrade before the handshake. Never rejects. */
  readonly accept: (exchange: SocketExchange<Host>) => Promise<SocketVerdict>
  /** Receives what a listener of an open socket threw. The transport then closes that socket with 1011. */
  readonly onFault: (error: unknown) => void
  /** `lenient`: doubled slashes count as one, and a trailing slash is ignored. */
  readonly slashes: 'exact' | 'lenient'
}
