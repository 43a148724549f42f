import type { Exchange, Reply } from './exchange.ts'
import type { Operation } from './operation.ts'

/** One operation with its code, as transports mount it. */
export interface Route {
  readonly id: string
  readonly operation: Operation
  /** Never rejects. */
  readonly handle: (exchange: Exchange) => Promise<Reply>
  /** What a request to the same path with a method that no route has is told. */
  readonly refuseMethod: (method: string, allow: string) => Reply
  /** What OPTIONS is told. */
  readonly describe: (allow: string) => Reply
  /** Reports a reply that could not be written, such as one with a line break in a header, and words its failure. */
  readonly fail: (error: unknown) => Reply
  /** `lenient`: doubled slashes count as one and a trailing one is ignored. */
  readonly slashes: 'exact' | 'lenient'
}
