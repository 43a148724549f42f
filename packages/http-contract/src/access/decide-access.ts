import type { CallerIdentity } from '../answered-request.ts'
import type { AccessRequest, AdminCaller, AdminRule, HostRefusal } from './access-rules.ts'
import { adminRefusal } from './admin.ts'
import type { AdminCheck } from './admin-check.ts'
import { askHost } from './ask-host.ts'
import type { Refusal } from './refusal.ts'
import { mayCall, type UserCaller } from './user-caller.ts'

/** A caller without credentials, where an operation is open. */
export interface AnonymousCaller {
  readonly type: 'anonymous'
}

/** Who calls an operation of a service without API keys. */
export type AccessCaller = AdminCaller | AnonymousCaller | UserCaller

/** Returns how a caller is named in reports of answered requests: a user by the id alone. */
export const callerIdentity = (caller: AccessCaller): CallerIdentity =>
  caller.type === 'user' ? { type: 'user', id: caller.id } : caller

/** Who calls an operation of a service without API keys, or why the request is refused. */
export type AccessDecision =
  | { readonly caller: AccessCaller }
  /** `answer` is the host's own answer to the refused client, where it gave one. */
  | { readonly refusal: Refusal; readonly answer?: HostRefusal }

/** What an operation offers to callers that are not the admin. */
export interface OfferedAccess {
  /** Whether users of the host may call the operation, without a scope that names it. */
  readonly toUsers: boolean
  /**
   * Decides about credentials of the service's own, such as tokens of users, where the operation's own rule applies.
   * `undefined` for any others, which are the admin's then. @default the admin alone
   */
  readonly own?: (request: AccessRequest) => Promise<AccessDecision | undefined>
}

/**
 * Applies a rule to a request of a service whose only caller by default is the admin. Rejects as the host's rule does.
 */
export async function decideAccess<Host>(
  rule: Exclude<AdminRule<Host>, 'default'>,
  request: AccessRequest<Host>,
  admin: AdminCheck,
  { toUsers, own }: OfferedAccess,
): Promise<AccessDecision> {
  if (rule === 'open') return { caller: { type: 'anonymous' } }
  const decideByItself = async () => (await own?.(request)) ?? (await decideAdmin(request, admin))
  if (rule === 'admin') return decideByItself()
  const verdict = await askHost(rule, request, ({ type }) => type === 'admin' || type === 'user')
  if (verdict === 'default') return decideByItself()
  if ('refusal' in verdict) {
    return { refusal: { reason: 'host_rule' }, ...(verdict.refusal && { answer: verdict.refusal }) }
  }
  const { caller } = verdict
  if (caller.type === 'user' && !mayCall(caller, request, toUsers)) {
    return { refusal: { reason: 'not_permitted', user: caller.id } }
  }
  return { caller }
}

async function decideAdmin(request: AccessRequest, admin: AdminCheck): Promise<AccessDecision> {
  const refusal = await adminRefusal(request, admin)
  return refusal ? { refusal } : { caller: { type: 'admin' } }
}
