import type { JobFailureType } from '../jobs/job.ts'
import type { JobEnd } from '../jobs/job-repository.ts'
import type { ResizeQuotaTask } from '../jobs/job-task.ts'
import type { QuotaRule } from '../quota-rules/quota-rule.ts'
import { isDefaultTarget, targetKeys } from '../quota-rules/quota-target.ts'
import type { EnforcedQuota } from './enforced-quota.ts'
import { coveringKeys, isCovered } from './is-covered.ts'
import { isEmpty, limitsChange } from './limits-change.ts'
import { limitsInForce, readLimitContext } from './limits-in-force.ts'
import { failure, type QuotaTaskOptions, refusalToFailure, success, toEnforced, whileResizing } from './quota-tasks.ts'
import { removeGrace } from './removed-grace.ts'

type Cause = ResizeQuotaTask['cause']

const notResized: Readonly<Record<Cause, JobFailureType>> = {
  created: 'rule-created-not-resized',
  modified: 'rule-modified-not-resized',
  deleted: 'rule-deleted-not-resized',
}

/** What ends a difference between the rules and what is enforced. */
export const RESTART = 'Disable and enable quotas on the volume to apply the change.'

/**
 * Updates what a volume enforces for one rule, while everything else stays enforced. On a failure, the rule itself
 * stays changed.
 */
export async function resizeQuota(options: QuotaTaskOptions, { rule: uuid, cause }: ResizeQuotaTask): Promise<JobEnd> {
  const { repositories, volume, backend } = options
  const resize = async (): Promise<JobEnd> => {
    const rule = await repositories.quotaRules.find(uuid)
    const enforced = await repositories.enforcedQuotas.list(volume.uuid)
    const capabilities = await backend.capabilities()
    const nextQuotas = quotasAfterChange(
      rule,
      enforced,
      enforced.find((quota) => quota.rule === uuid),
      capabilities,
    )
    if (nextQuotas === 'not-covered') {
      return cause === 'created'
        ? failure('rule-created-resize-skipped', `The rule was created, but it is not enforced yet. ${RESTART}`)
        : failure(notResized[cause], `The rule was changed, but it is not enforced on the volume. ${RESTART}`)
    }
    if (nextQuotas === 'still-needed') {
      return failure('rule-deleted-still-enforced', `The rule was deleted, but it is still enforced. ${RESTART}`)
    }
    const context = await readLimitContext(options)
    const grace = await removeGrace(options, context.states, rule ? [rule] : [])
    const next = limitsInForce(nextQuotas, { ...context, states: grace.states })
    const change = limitsChange(limitsInForce(enforced, context), next)
    if (!isEmpty(change)) await backend.changeLimits(change)
    await grace.store()
    const removedQuotas = enforced.filter((quota) => !nextQuotas.some((other) => other.rule === quota.rule))
    for (const quota of removedQuotas) await repositories.enforcedQuotas.remove(volume.uuid, quota.rule)
    const put = nextQuotas.find((quota) => quota.rule === uuid)
    if (put) await repositories.enforcedQuotas.put(volume.uuid, put)
    return success
  }
  return whileResizing(options, () => refusalToFailure(notResized[cause], resize()))
}

/** Returns the quotas to enforce after the change of the rule. */
function quotasAfterChange(
  rule: QuotaRule | undefined,
  enforced: readonly EnforcedQuota[],
  current: EnforcedQuota | undefined,
  capabilities: { readonly usersPerQtree: boolean },
): readonly EnforcedQuota[] | 'not-covered' | 'still-needed' {
  const others = enforced.filter((quota) => quota !== current)
  if (rule) {
    if (!current && !isCovered(rule.target, coveringKeys(enforced), capabilities)) return 'not-covered'
    // A deleted rule that is still enforced is replaced by its successor.
    const keys = new Set(targetKeys(rule.target))
    return [...others.filter((quota) => !targetKeys(quota.target).some((key) => keys.has(key))), toEnforced(rule)]
  }
  if (!current) return enforced
  if (isDefaultTarget(current.target) || !isCovered(current.target, coveringKeys(others), capabilities))
    return 'still-needed'
  return others
}
