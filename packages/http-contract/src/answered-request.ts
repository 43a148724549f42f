import type { RefusalReason } from './access/refusal.ts'
import type { Exchange, Reply } from './exchange.ts'
import { isObject } from './is-object.ts'

/** The identity of a caller for logs, without secrets. */
export type CallerIdentity =
  | { readonly type: 'admin' }
  /** An API key, by its id. */
  | { readonly type: 'key'; readonly id: string }
  /** A user of the host, by the id that its rule returned. */
  | { readonly type: 'user'; readonly id: string }
  /** The holder of a ticket that the admin created. */
  | { readonly type: 'ticket' }
  | { readonly type: 'anonymous' }

/**
 * A refused request or an answered administrative operation, for an audit log. It has no headers and no query, and
 * nothing but ids of bodies.
 */
export interface AnsweredRequest {
  /** The operation's id in its contract. */
  readonly operation: string
  /** The method of the operation; `GET` for a WebSocket. */
  readonly method: string
  /** The template of the operation's path. */
  readonly path: string
  /** Whether only the admin may call the operation by default. */
  readonly administrative: boolean
  /** `undefined` where no one was identified. */
  readonly caller: CallerIdentity | undefined
  /** As the transport's host reports it. */
  readonly remoteAddress: string | undefined
  /** Empty where requests have no ids. */
  readonly requestId: string
  /** The status of the answer, whose stream may still be open. 101 for an opened WebSocket. */
  readonly status: number
  /** Why the request was not admitted; `undefined` for an admitted one. */
  readonly refusal: RefusalReason | undefined
  /**
   * The path's parameters, and the ids in the answer to a change, such as `project_id` or `location`. Each is cut after
   * 200 characters. Empty for a request that was not admitted, because anyone can write anything into a path.
   */
  readonly subject: Readonly<Record<string, string>>
}

const MAX_LENGTH = 200
const ID = /(^|_)(uu)?id$/

/** Collects the path parameters of an admitted request and the ids in its reply. */
export function subjectOf(method: string, { params }: Pick<Exchange, 'params'>, reply?: Reply): Record<string, string> {
  const subject: Record<string, string> = {}
  const add = (name: string, value: unknown) => {
    if (typeof value === 'string') subject[name] = value.slice(0, MAX_LENGTH)
  }
  for (const [name, value] of Object.entries(params)) add(name, value)
  if (method === 'GET' || !reply) return subject
  add('location', reply.headers.location)
  if (reply.kind !== 'json' || !isObject(reply.value)) return subject
  for (const [name, value] of Object.entries(reply.value)) if (ID.test(name)) add(name, value)
  return subject
}
