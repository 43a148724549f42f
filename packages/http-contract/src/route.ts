import type { Exchange, Mount, Reply } from './exchange.ts'
import type { Operation } from './operation.ts'

/**
 * One operation with its handler, for transports to mount. `Host` is the request of the host that its access rules
 * need; `unknown` can be mounted anywhere.
 */
export interface Route<Host = unknown> {
  /** The operation's id in the contract. */
  readonly id: string
  readonly operation: Operation
  /** Answers a request. Rejects only if a function of `Failures`, or `onRefused`, throws. */
  readonly handle: (exchange: Exchange<Host>) => Promise<Reply>
  /** Returns the reply to a method that no route of the path has. `allow` is the value of its header. */
  readonly refuseMethod: (method: string, allow: string, mount: Mount) => Reply
  /** Returns the reply to OPTIONS. */
  readonly describe: (allow: string, mount: Mount) => Reply
  /**
   * Reports a reply that could not be written, such as one with a line break in a header, and returns the failure to
   * write instead.
   */
  readonly fail: (error: unknown, mount: Mount) => Reply
  /** `lenient`: doubled slashes count as one, and a trailing slash is ignored. */
  readonly slashes: 'exact' | 'lenient'
}
