import { type AccessRequest, type Admission, askHost, type HostRule, mayCall } from '@trivium/http-contract'
import type { ApiKey } from '../../api-keys/api-key.ts'
import type { Caller } from '../../caller.ts'
import type { GatewayOperation } from '../contract.ts'
import { failure } from '../errors/failure.ts'
import { failureReply } from '../errors/failure-reply.ts'
import { toFailure } from '../errors/to-failure.ts'
import {
  type AccessOptions,
  adminOnly,
  decideAccess,
  type HostCaller,
  identityOf,
  isAdministrative,
  isForKey,
  type OwnRule,
  refused,
} from './access.ts'

/** A value with a `type`, which an unchecked host returned. */
interface ReturnedCaller {
  readonly type: string
  readonly key?: { readonly id?: unknown; readonly hash?: unknown }
}

const isCaller = ({ type, key }: ReturnedCaller): boolean =>
  type === 'key'
    ? typeof key?.id === 'string' && typeof key.hash === 'string'
    : type === 'admin' || type === 'user' || type === 'anonymous'

/** Operations that scopes of users do not restrict, beside the open ones: a user may always read their own limits. */
const unscoped: ReadonlySet<string> = new Set<GatewayOperation>(['getCaller'])

/**
 * Asks the rule of the host. A key that it returns must be usable now, with the secret that it had. Operations of the
 * admin are refused to keys, and to users without a scope that names them. Open operations are open to users of any
 * scope, as they are without credentials.
 */
export async function askHostRule<Host>(
  rule: HostRule<HostCaller, Host>,
  request: AccessRequest<Host>,
  own: OwnRule,
  options: AccessOptions,
): Promise<Admission<Caller>> {
  const verdict = await askHost(rule, request, isCaller)
  if (verdict === 'default') return decideAccess(own, request, options)
  if ('refusal' in verdict) {
    const { status = 401, message = 'The host does not admit this request.' } = verdict.refusal ?? {}
    const code = verdict.refusal ? 'refused' : 'unauthorized'
    return { reply: { ...failureReply(failure(401, message, { code })), status }, reason: 'host_rule' }
  }
  const { caller } = verdict
  switch (caller.type) {
    case 'anonymous':
      if (isAdministrative(own)) return { ...refused(notPermitted, 'not_permitted'), identity: { type: 'anonymous' } }
      return { caller, identity: { type: 'anonymous' } }
    case 'admin':
      return { caller, identity: { type: 'admin' } }
    case 'key':
      return admitKey(caller.key, own, options)
    case 'user': {
      const identity = { type: 'user', id: caller.id } as const
      return own === 'open' || unscoped.has(request.operation) || mayCall(caller, request, !isAdministrative(own))
        ? { caller, identity }
        : { ...refused(notPermitted, 'not_permitted'), identity }
    }
  }
}

async function admitKey(handed: ApiKey, own: OwnRule, { apiKeys }: AccessOptions): Promise<Admission<Caller>> {
  const key = await apiKeys.check(handed.id, handed.hash)
  if (key.isErr()) return refused(toFailure(key.error), 'wrong_key')
  const identity = identityOf(key.value)
  if (!isForKey(own, key.value)) return { ...refused(adminOnly(), 'admin_required'), identity }
  return { caller: { type: 'key', key: key.value }, identity }
}

export const notPermitted = failure(403, 'This user is not allowed to use this operation.', { code: 'not_permitted' })
