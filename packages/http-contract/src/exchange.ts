import type { Promisable } from 'type-fest'
import type { RequestBody } from './request-body.ts'
import type { Relay } from './response-body.ts'

/**
 * A request as a transport passes it on. What transports parse differently is left unparsed. `Host` is the type of the
 * host's own request; a route that does not use it can be mounted on any transport.
 */
export interface Exchange<Host = unknown> {
  /** The method as it was sent. */
  readonly method: string
  /** The decoded values of the template's parameters. */
  readonly params: Readonly<Record<string, string>>
  /** The query string as it was sent, without the question mark. */
  readonly query: string
  readonly headers: RequestHeaders
  /**
   * The address of the client as the host determines it: the peer of the connection, or what a trusted proxy reports.
   * `undefined` where the host does not know it.
   */
  readonly remoteAddress: string | undefined
  /** The host's own request, as its framework has it: with its session, its user and all that middlewares added. */
  readonly host: Host
  /** The address at which the client reaches the mount. */
  readonly mount: Mount
  /**
   * Reads the body; call it once. Rejects with `BodyTooLarge` as soon as the body exceeds or announces more than
   * `limit` bytes.
   */
  readonly body: (limit: number) => Promisable<RequestBody>
  /**
   * Returns the body as chunks that arrive while they are read, which pause the client; call it once, instead of `body`.
   * Throws as `body` rejects, also while the chunks are read.
   *
   * @default uploads are collected by `body`
   */
  readonly chunks?: ((limit: number) => AsyncIterable<Uint8Array>) | undefined
  /** Aborts when the client disconnects before the answer is complete. */
  readonly signal: AbortSignal
  /** Aborts when the mount begins to close. */
  readonly closing: AbortSignal
}

/**
 * The address of a mount as its clients see it: as the host reports scheme and name, which may come from a proxy that it
 * trusts. A client can send any `Host`, so do not use it to decide about access.
 */
export interface Mount {
  /** Scheme, name and port, such as `https://example.com`. */
  readonly origin: string
  /** The prefix of every path, such as `/ai`; empty without one. */
  readonly path: string
}

/** Request headers, with names in lower case. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>
export type ReplyHeaders = Readonly<Record<string, string>>

/** A reply for a transport to write. Header names are in lower case. */
export type Reply = { readonly status: number; readonly headers: ReplyHeaders } & (
  | { readonly kind: 'empty' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'bytes'; readonly value: Uint8Array | string }
  | { readonly kind: 'stream'; readonly chunks: AsyncIterable<Uint8Array | string> }
  | Relay
)
