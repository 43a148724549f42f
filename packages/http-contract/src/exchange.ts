import type { Promisable } from 'type-fest'
import type { RequestBody } from './request-body.ts'
import type { Relay } from './response-body.ts'

/** What a transport hands over: nothing parsed that two transports parse differently. */
export interface Exchange {
  readonly method: string
  /** The decoded values of the template's parameters. */
  readonly params: Readonly<Record<string, string>>
  /** The query string as it was sent, without the question mark. */
  readonly query: string
  readonly headers: RequestHeaders
  /**
   * Who is at the other end, as the host takes it: the peer of the connection, or what a proxy that the host trusts says.
   * `undefined` where the host does not know.
   */
  readonly remoteAddress: string | undefined
  /** Reads the body, once; rejects with `BodyTooLarge` as soon as more than `limit` bytes are known to come. */
  readonly body: (limit: number) => Promisable<RequestBody>
  /** Aborts when the client goes away before the answer is complete. */
  readonly signal: AbortSignal
}

/** Names in lower case. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>
export type ReplyHeaders = Readonly<Record<string, string>>

/** What a transport writes. Header names are in lower case. */
export type Reply = { readonly status: number; readonly headers: ReplyHeaders } & (
  | { readonly kind: 'empty' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'bytes'; readonly value: Uint8Array | string }
  | { readonly kind: 'stream'; readonly chunks: AsyncIterable<Uint8Array | string> }
  | Relay
)
