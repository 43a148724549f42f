import type { Exchange, Reply } from './exchange.ts'
import type { Operation } from './operation.ts'

/** One operation with its handler, for transports to mount. */
export interface Route {
  /** The operation's id in the contract. */
  readonly id: string
  readonly operation: Operation
  /** Answers a request. Rejects only if a function of `Failures`, or `onRefused`, throws. */
  readonly handle: (exchange: Exchange) => Promise<Reply>
  /** Returns the reply to a method that no route of the path has. `allow` is the value of its header. */
  readonly refuseMethod: (method: string, allow: string) => Reply
  /** Returns the reply to OPTIONS. */
  readonly describe: (allow: string) => Reply
  /**
   * Reports a reply that could not be written, such as one with a line break in a header, and returns the failure to
   * write instead.
   */
  readonly fail: (error: unknown) => Reply
  /** `lenient`: doubled slashes count as one, and a trailing slash is ignored. */
  readonly slashes: 'exact' | 'lenient'
}
