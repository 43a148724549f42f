import type { BaseIssue } from 'valibot'
import type { Reply } from './exchange.ts'
import type { Operation } from './operation.ts'

/**
 * Replies of one API to requests that no handler answers. The functions must not throw: a transport passes their error
 * to its host.
 */
export interface Failures {
  /** The body is not JSON; `detail` is the parser's own message. */
  readonly malformed: (detail: string, operation: Operation) => Reply
  /**
   * The body has too many values, or too much beside its strings to be parsed; `detail` says which.
   *
   * @default `malformed`
   */
  readonly excessive?: (detail: string, operation: Operation) => Reply
  /** A parameter, the query, a header or the body does not match its schema. `issue` is the first mismatch. */
  readonly invalid: (issue: InputIssue, operation: Operation) => Reply
  /** The body has more than `limit` bytes. */
  readonly tooLarge: (limit: number, operation: Operation) => Reply
  /** The path exists, but not with this method. The reply gets its `allow` header without this function. */
  readonly methodNotAllowed: (method: string, allow: string) => Reply
  /** A handler threw, which is a fault and never an expected outcome. The reply must not reveal the error. */
  readonly unexpected: (error: unknown, operation: Operation) => Reply
  /** Returns the last event of a stream whose source failed after its first event. */
  readonly interrupted: (error: unknown, operation: Operation) => unknown
}

/**
 * A valibot issue and the part of the request that it is in. Its message and received value are cut after 300
 * characters. `describeIssue` words it.
 */
export interface InputIssue {
  /** `params` are those of the path. */
  readonly part: 'params' | 'query' | 'headers' | 'body'
  /** The place inside that part, as `ports.0.vlan`; empty for the part itself. */
  readonly path: string
  readonly issue: BaseIssue<unknown>
}
