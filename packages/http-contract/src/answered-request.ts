import type { RefusalReason } from './access/refusal.ts'
import type { Exchange, Reply } from './exchange.ts'
import { isObject } from './is-object.ts'

/** Who called, for records: no secret. */
export type CallerIdentity =
  | { readonly type: 'admin' }
  /** An API key, by its id. */
  | { readonly type: 'key'; readonly id: string }
  /** Someone with a ticket that the admin has made. */
  | { readonly type: 'ticket' }
  | { readonly type: 'anonymous' }

/**
 * A request that was refused, or an administrative operation that was answered: what an audit log writes down. It has no
 * part of a body but ids, no header and no query.
 */
export interface AnsweredRequest {
  /** The operation's id in its contract. */
  readonly operation: string
  /** The method of the operation; `GET` for a WebSocket. */
  readonly method: string
  /** The template of the operation's path. */
  readonly path: string
  /** Whether the operation is one of those that only the admin has by default. */
  readonly administrative: boolean
  /** `undefined` where no one was identified. */
  readonly caller: CallerIdentity | undefined
  /** As the transport's host takes it. */
  readonly remoteAddress: string | undefined
  /** Empty where requests have no ids. */
  readonly requestId: string
  /** Of the answer, whose stream may continue; 101 for a WebSocket that was opened. */
  readonly status: number
  /** Why the request was not let in; `undefined` where it was. */
  readonly refusal: RefusalReason | undefined
  /**
   * What was meant: the path's parameters, and the ids in the answer to a change, such as `project_id` or `location`. Each is
   * cut after 200 characters. Empty where the request was not let in: anyone can write anything into an address.
   */
  readonly subject: Readonly<Record<string, string>>
}

const MAX_LENGTH = 200
const ID = /(^|_)(uu)?id$/

/** Names what an admitted request was about. */
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
