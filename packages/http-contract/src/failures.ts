import type { BaseIssue } from 'valibot'
import type { Reply } from './exchange.ts'
import type { Operation } from './operation.ts'

/** How one API words what no handler answers. */
export interface Failures {
  /** The body is not JSON; `detail` is the parser's own message. */
  readonly malformed: (detail: string, operation: Operation) => Reply
  /** A parameter, the query, a header or the body does not fit its schema: the first thing that is wrong. */
  readonly invalid: (issue: InputIssue, operation: Operation) => Reply
  readonly tooLarge: (limit: number, operation: Operation) => Reply
  /** The path exists, the method does not; `allow` has become the reply's `allow` header already. */
  readonly methodNotAllowed: (method: string, allow: string) => Reply
  /** A handler threw: a fault, never an expected outcome. The reply must not tell what it was. */
  readonly unexpected: (error: unknown, operation: Operation) => Reply
  /** The last event of a stream whose source failed after the first event. */
  readonly interrupted: (error: unknown, operation: Operation) => unknown
}

/** A valibot issue, with the part of the request that it is about. Texts of the request in it are cut after 300 characters. */
export interface InputIssue {
  readonly part: 'params' | 'query' | 'headers' | 'body'
  /** The place inside that part: `ports.0.vlan`; empty for the part itself. */
  readonly path: string
  readonly issue: BaseIssue<unknown>
}
