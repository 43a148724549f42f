import type { Admission } from '@trivium/http-contract'
import { policiesOf } from '../../accounts/account.ts'
import type { Caller } from '../../caller.ts'
import { type PolicyRefusal, refusalOf } from '../../policies/policy-decisions.ts'
import { failureReply } from '../errors/failure-reply.ts'
import { toFailure } from '../errors/to-failure.ts'
import { identityOf } from './access.ts'
import { ownRules } from './own-rules.ts'

const rules: Readonly<Record<string, string | undefined>> = ownRules

/** Operations that `endpoints` of a policy does not restrict: a key may always read its own limits, and owners manage keys. */
const isUnrestricted = (id: string): boolean => id === 'getCaller' || rules[id] !== 'key'

/** An admission after the policies. */
export type CheckedAdmission = Admission<Caller> & {
  /** The key that a policy has refused. */
  readonly refused?: { readonly caller: Caller; readonly refusal: PolicyRefusal }
}

/** Refuses an admitted key whose policy, or that of its team or its user, does not allow the operation or the address. */
export function checkPolicies(admission: Admission<Caller>, id: string, address: string | undefined): CheckedAdmission {
  if ('reply' in admission || admission.caller.type !== 'key') return admission
  const policies = policiesOf(admission.caller)
  const refusal =
    policies.length > 0 ? refusalOf(policies, { endpoint: isUnrestricted(id) ? undefined : id, address }) : undefined
  if (!refusal) return admission
  return {
    reply: failureReply(toFailure(refusal)),
    refused: { caller: admission.caller, refusal },
    reason: 'not_permitted',
    identity: identityOf(admission.caller.key),
  }
}
