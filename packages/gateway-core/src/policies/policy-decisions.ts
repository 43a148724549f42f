import { perObject } from '../per-object.ts'
import { type CompiledPolicy, compiledPolicy } from './compiled-policy.ts'
import type { Policy } from './policy.ts'

/** Whose policy refuses a request. */
export type PolicyHolder = 'key' | 'team' | 'user'

/** A policy and whose it is. */
export interface HeldPolicy {
  readonly holder: PolicyHolder
  readonly policy: CompiledPolicy
}

/** Returns a policy for decisions. */
export const heldPolicy = (holder: PolicyHolder, policy: Policy): HeldPolicy => ({
  holder,
  policy: compiledPolicy(policy),
})

/** Why a policy refuses a request before its body is read. */
export type PolicyRefusal =
  | { readonly type: 'endpoint-not-allowed'; readonly holder: PolicyHolder; readonly endpoint: string }
  | { readonly type: 'address-not-allowed'; readonly holder: PolicyHolder }

/** Why a policy refuses a model. */
export interface ModelNotAllowed {
  readonly type: 'model-not-allowed'
  readonly model: string
  readonly holder: PolicyHolder
}

/** An operation and the address of the client. */
interface RequestOrigin {
  readonly endpoint: string | undefined
  readonly address: string | undefined
}

/** What policies have allowed last. Most requests of a key are alike, and looking each rule up takes time. */
interface LastAllowed {
  origin?: RequestOrigin
  model?: { readonly named: string; readonly id: string }
}

const lastAllowedBy = perObject((_: readonly HeldPolicy[]): LastAllowed => ({}))

/** Decides about an operation and the address of the client. */
export function refusalOf(policies: readonly HeldPolicy[], origin: RequestOrigin): PolicyRefusal | undefined {
  const last = lastAllowedBy(policies)
  if (last.origin && last.origin.endpoint === origin.endpoint && last.origin.address === origin.address)
    return undefined
  const refusal = decidedRefusal(policies, origin)
  if (!refusal) last.origin = origin
  return refusal
}

function decidedRefusal(
  policies: readonly HeldPolicy[],
  { endpoint, address }: RequestOrigin,
): PolicyRefusal | undefined {
  for (const { holder, policy } of policies) {
    if (policy.isInRanges && (address === undefined || !policy.isInRanges(address))) {
      return { type: 'address-not-allowed', holder }
    }
    if (policy.endpoints && endpoint !== undefined && !policy.endpoints.has(endpoint)) {
      return { type: 'endpoint-not-allowed', holder, endpoint }
    }
  }
  return undefined
}

/**
 * Decides about the models of a request.
 *
 * @param named the id that the request names
 * @param targets the ids `provider/model` that it leads to, or none where the model does not exist
 * @returns the targets that may be called, or whose policy refuses all of them
 */
export function allowedTargets<Target>(
  policies: readonly HeldPolicy[],
  named: string,
  targets: readonly Target[],
  idOf: (target: Target) => string,
): AllowedTargets<Target> | ModelNotAllowed {
  const [only] = targets
  if (!only || targets.length > 1) return decidedTargets(policies, named, targets, idOf)
  const last = lastAllowedBy(policies)
  const id = idOf(only)
  if (last.model && last.model.named === named && last.model.id === id) return { targets }
  const decision = decidedTargets(policies, named, targets, idOf)
  if ('targets' in decision) last.model = { named, id }
  return decision
}

/** The targets that may be called. */
interface AllowedTargets<Target> {
  readonly targets: readonly Target[]
}

function decidedTargets<Target>(
  policies: readonly HeldPolicy[],
  named: string,
  targets: readonly Target[],
  idOf: (target: Target) => string,
): AllowedTargets<Target> | ModelNotAllowed {
  let left = targets
  for (const { holder, policy } of policies) {
    const { allows, allowsModel, denies } = policy
    const isNamed = !allows || allows(named)
    if (!isNamed && allowsModel) left = left.filter((target) => allowsModel(idOf(target)))
    if (denies) left = denies(named) ? [] : left.filter((target) => !denies(idOf(target)))
    const isRefused = left.length === 0 && (targets.length > 0 || !(isNamed || allowsModel?.(named)) || denies?.(named))
    if (isRefused) return { type: 'model-not-allowed', model: named, holder }
  }
  return { targets: left }
}
