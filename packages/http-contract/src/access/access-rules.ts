import type { Promisable } from 'type-fest'
import type { Exchange, RequestHeaders } from '../exchange.ts'
import type { UserCaller } from './user-caller.ts'

/** The input of an access rule. The body is not read yet. */
export interface AccessRequest<Host = unknown> {
  /** The operation's id in the contract. */
  readonly operation: string
  /** The method of the operation; `CONNECT` for a WebSocket, which can change what it shows. */
  readonly method: string
  /** The decoded parameters of the path. They are not checked yet. */
  readonly params: Readonly<Record<string, string>>
  /** Names in lower case. */
  readonly headers: RequestHeaders
  /** The caller's address as the transport's host reports it; absent where it is unknown. */
  readonly remoteAddress?: string | undefined
  /**
   * The host's own request: Express' `req`, Fastify's `request`, `{ request, context }` of a fetch handler. A WebSocket
   * has Node's request, because an upgrade passes by the framework.
   */
  readonly host: Host
}

/** A refusal in the host's own words, which the service answers in its own shape. */
export interface HostRefusal {
  /** 400 to 599. */
  readonly status: number
  /** A sentence for the client. */
  readonly message: string
}

/**
 * The answer of a host's rule: a caller, `default` to apply the operation's own rule, a refusal, or `undefined`
 * for a 401.
 */
export type HostVerdict<Caller> = Caller | 'default' | HostRefusal | undefined

/**
 * The host's own rule. A rejection is a fault, and so are a user with an invalid or unknown field and a refusal with an
 * invalid field.
 */
export type HostRule<Caller, Host = unknown> = (request: AccessRequest<Host>) => Promisable<HostVerdict<Caller>>

/** Rules by the ids of operations. `*` is for every operation that is not named. */
export type AccessRules<Id extends string, Rule> = Partial<Readonly<Record<Id | '*', Rule>>>

/** A caller that may call every operation. */
export interface AdminCaller {
  readonly type: 'admin'
}

/**
 * Who may call an operation of a service without API keys: any caller (`open`), the admin, or those that the host's rule
 * returns. `default` is the operation's own rule.
 */
export type AdminRule<Host = unknown> = 'open' | 'admin' | 'default' | HostRule<AdminCaller | UserCaller, Host>

/** Finds the host's rule for an operation, or that for `*`. `undefined` means that the operation's own rule applies. */
export function accessRule<Rule>(
  rules: Readonly<Record<string, Rule | undefined>> | undefined,
  operation: string,
): Exclude<Rule, 'default'> | undefined {
  const rule = rules?.[operation] ?? rules?.['*']
  return rule === 'default' ? undefined : (rule as Exclude<Rule, 'default'> | undefined)
}

/**
 * Checks the rules of a host, which may be plain JavaScript. A rule under a mistyped id would never apply.
 *
 * @param operations the ids that rules can name beside `*`
 * @param words the rules that are not functions, beside `default`
 * @throws TypeError if the rules are not an object, or a rule is under an id that is not an operation, or is neither a
 *   function nor one of the words
 */
export function checkAccessRules(
  rules: Readonly<Record<string, unknown>> | undefined,
  operations: readonly string[],
  words: readonly string[],
): void {
  if (rules === undefined) return
  if (typeof rules !== 'object' || rules === null || Array.isArray(rules))
    throw new TypeError("'authorize' must be an object with rules by the ids of operations, or '*' for all of them.")
  for (const [id, rule] of Object.entries(rules)) {
    if (id !== '*' && !operations.includes(id))
      throw new TypeError(`'authorize' has a rule for '${id}', which is not an operation`)
    if (rule === undefined || rule === 'default' || typeof rule === 'function' || words.some((word) => word === rule))
      continue
    const known = [...words, 'default'].map((word) => `'${word}'`).join(', ')
    throw new TypeError(`The rule of 'authorize' for '${id}' must be a function or one of ${known}`)
  }
}

/** Returns the input of an access rule for a request. */
export const accessRequest = <Host>(
  { params, headers, remoteAddress, host }: Omit<Exchange<Host>, 'body' | 'closing'>,
  operation: string,
  method: string,
): AccessRequest<Host> => ({ operation, method, params, headers, remoteAddress, host })
