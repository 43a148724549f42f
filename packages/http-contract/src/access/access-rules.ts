import type { Promisable } from 'type-fest'
import type { RequestHeaders } from '../exchange.ts'
import { adminRefusal } from './admin.ts'
import type { AdminCheck } from './admin-check.ts'
import type { Refusal } from './refusal.ts'

/** What a rule of access decides by, before anything of the body is read. */
export interface AccessRequest {
  /** The operation's id in the contract. */
  readonly operation: string
  /** Names in lower case. */
  readonly headers: RequestHeaders
  /** Who asks, as the transport's host takes it; absent where that is not known. */
  readonly remoteAddress?: string | undefined
}

/** The host's own rule: it returns who calls, or `undefined` to refuse. */
export type HostRule<Caller> = (request: AccessRequest) => Promisable<Caller | undefined>

/** Rules by the ids of operations. `*` stands for every operation that is not named. */
export type AccessRules<Id extends string, Rule> = Partial<Readonly<Record<Id | '*', Rule>>>

/** The host's rule for an operation; `undefined` leaves the operation's own rule in force. */
export const accessRule = <Rule>(
  rules: Readonly<Record<string, Rule | undefined>> | undefined,
  operation: string,
): Rule | undefined => rules?.[operation] ?? rules?.['*']

/** A caller that may do everything. */
export interface AdminCaller {
  readonly type: 'admin'
}

/** Who may call an operation of a service that has no callers but the admin. */
export type AdminRule = 'open' | 'admin' | HostRule<AdminCaller>

/** Why a rule does not admit a request; `undefined` where it does. Anything but a caller refuses, also where the host is not type-checked. */
export async function accessRefusal(
  rule: AdminRule,
  request: AccessRequest,
  admin: AdminCheck,
): Promise<Refusal | undefined> {
  if (rule === 'open') return undefined
  if (rule === 'admin') return adminRefusal(request, admin)
  const isIn = typeof rule === 'function' && (await rule(request))?.type === 'admin'
  return isIn ? undefined : { reason: 'host_rule' }
}
