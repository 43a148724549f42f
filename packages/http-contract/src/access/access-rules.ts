import type { Promisable } from 'type-fest'
import type { RequestHeaders } from '../exchange.ts'
import { adminRefusal } from './admin.ts'
import type { AdminCheck } from './admin-check.ts'
import type { Refusal } from './refusal.ts'

/** The input of an access rule. The body is not read yet. */
export interface AccessRequest {
  /** The operation's id in the contract. */
  readonly operation: string
  /** Names in lower case. */
  readonly headers: RequestHeaders
  /** The caller's address as the transport's host reports it; absent where it is unknown. */
  readonly remoteAddress?: string | undefined
}

/** The host's own rule. Returns the caller, or `undefined` to refuse the request. A rejection is a fault. */
export type HostRule<Caller> = (request: AccessRequest) => Promisable<Caller | undefined>

/** Rules by the ids of operations. `*` is for every operation that is not named. */
export type AccessRules<Id extends string, Rule> = Partial<Readonly<Record<Id | '*', Rule>>>

/** Finds the host's rule for an operation, or that for `*`. `undefined` means that the operation's own rule applies. */
export const accessRule = <Rule>(
  rules: Readonly<Record<string, Rule | undefined>> | undefined,
  operation: string,
): Rule | undefined => rules?.[operation] ?? rules?.['*']

/** A caller that may call every operation. */
export interface AdminCaller {
  readonly type: 'admin'
}

/**
 * Who may call an operation of a service whose only caller is the admin: any caller (`open`), the admin, or those that
 * the host's rule returns.
 */
export type AdminRule = 'open' | 'admin' | HostRule<AdminCaller>

/**
 * Returns why a rule does not admit a request; `undefined` if it does. Any result of a host's rule that is not a caller
 * refuses the request, also in a host without type checks. Rejects as the host's rule does.
 */
export async function accessRefusal(
  rule: AdminRule,
  request: AccessRequest,
  admin: AdminCheck,
): Promise<Refusal | undefined> {
  if (rule === 'open') return undefined
  if (rule === 'admin') return adminRefusal(request, admin)
  const isAdmitted = typeof rule === 'function' && (await rule(request))?.type === 'admin'
  return isAdmitted ? undefined : { reason: 'host_rule' }
}
