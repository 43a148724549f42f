import type { Promisable } from 'type-fest'
import type { RequestBody } from './request-body.ts'
import type { Relay } from './response-body.ts'

/** A request as a transport passes it on. What transports parse differently is left unparsed. */
export interface Exchange {
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
  /**
   * Reads the body; call it once. Rejects with `BodyTooLarge` as soon as the body exceeds or announces more than
   * `limit` bytes.
   */
  readonly body: (limit: number) => Promisable<RequestBody>
  /** Aborts when the client disconnects before the answer is complete. */
  readonly signal: AbortSignal
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
