import type { JobEnd } from '../jobs/job-repository.ts'
import type { QuotaRule, QuotaRuleId } from '../quota-rules/quota-rule.ts'
import { isDefaultTarget, targetKeys } from '../quota-rules/quota-target.ts'
import { isSameRule } from '../quota-rules/same-rule.ts'
import { nextTurn } from '../scheduling/next-turn.ts'
import type { LimitsChange } from '../volumes/volume-backend.ts'
import type { EnforcedQuota } from './enforced-quota.ts'
import type { EnforcedQuotasChange } from './enforced-quota-repository.ts'
import { coveringKeys, isCovered } from './is-covered.ts'
import { limitsChange } from './limits-change.ts'
import { limitsInForce, readLimitContext } from './limits-in-force.ts'
import { failure, type QuotaTaskOptions, refusalToFailure, success, toEnforced, whileResizing } from './quota-tasks.ts'
import { removeGrace } from './removed-grace.ts'
import { RESTART } from './resize-quota.ts'

/** After this many limits the progress is recorded. */
const LIMITS_PER_STEP = 500

/**
 * Updates what a volume enforces for all of its rules, while everything else stays enforced. A repetition after a crash
 * sets the same limits again. On a failure, the rules themselves stay changed.
 */
export async function resizeQuotas(options: QuotaTaskOptions): Promise<JobEnd> {
  const { repositories, volume, backend, context } = options
  const resize = async (): Promise<JobEnd> => {
    const rules = await repositories.quotaRules.listOfVolume(volume.uuid)
    await nextTurn()
    const enforced = await repositories.enforcedQuotas.list(volume.uuid)
    const capabilities = await backend.capabilities()
    await nextTurn()
    const next = quotasAfterChanges(rules, enforced, capabilities)
    await nextTurn()
    const inForce = await readLimitContext(options)
    const grace = await removeGrace(options, inForce.states, rules)
    await nextTurn()
    const after = limitsInForce(next.quotas, { ...inForce, states: grace.states })
    await nextTurn()
    const before = limitsInForce(enforced, inForce)
    await nextTurn()
    const steps = stepsOf(limitsChange(before, after))
    for (const [index, step] of steps.entries()) {
      context.signal.throwIfAborted()
      await backend.changeLimits(step)
      await context.record({ done: index + 1, total: steps.length })
    }
    await grace.store()
    await nextTurn()
    if (next.put.length + next.removed.length > 0) await repositories.enforcedQuotas.change(volume.uuid, next)
    return endOf(next)
  }
  return whileResizing(options, () => refusalToFailure('rule-modified-not-resized', resize(), context.signal))
}

interface NextQuotas extends EnforcedQuotasChange {
  readonly quotas: readonly EnforcedQuota[]
  /** The number of rules that need a new scan. */
  readonly notCovered: number
  /** The number of deleted rules that others need. */
  readonly stillNeeded: number
}

/** Returns the quotas to enforce after all changes of rules: what `resizeQuota` does for each, in any order. */
function quotasAfterChanges(
  rules: readonly QuotaRule[],
  enforced: readonly EnforcedQuota[],
  capabilities: { readonly usersPerQtree: boolean },
): NextQuotas {
  const current = new Map(enforced.map((quota) => [quota.rule, quota]))
  const existing = new Set(rules.map(({ uuid }) => uuid))
  const before = coveringKeys(enforced)
  const kept: EnforcedQuota[] = []
  const put: EnforcedQuota[] = []
  let notCovered = 0
  for (const rule of rules) {
    const quota = current.get(rule.uuid)
    if (!quota && !isCovered(rule.target, before, capabilities)) {
      notCovered += 1
      continue
    }
    const wanted = toEnforced(rule)
    if (quota && isSameRule(quota, wanted)) kept.push(quota)
    else put.push(wanted)
  }
  const keys = coveringKeys([...kept, ...put])
  const removed: QuotaRuleId[] = []
  let stillNeeded = 0
  // Tree quotas first, because quotas of users in a qtree depend on them.
  const deleted = enforced.filter(({ rule }) => !existing.has(rule))
  const isTree = ({ target }: EnforcedQuota) => target.type === 'tree'
  for (const quota of [...deleted.filter(isTree), ...deleted.filter((one) => !isTree(one))]) {
    const { rule, target } = quota
    // A deleted rule that is still enforced is replaced by its successor.
    const isReplaced = targetKeys(target).some((key) => keys.has(key))
    if (isReplaced || (!isDefaultTarget(target) && isCovered(target, keys, capabilities))) {
      removed.push(rule)
      continue
    }
    stillNeeded += 1
    kept.push(quota)
    for (const key of targetKeys(target)) keys.add(key)
  }
  return { quotas: [...kept, ...put], put, removed, notCovered, stillNeeded }
}

function stepsOf({ clear, set }: LimitsChange): readonly LimitsChange[] {
  const steps: LimitsChange[] = []
  for (let start = 0; start < clear.length; start += LIMITS_PER_STEP) {
    steps.push({ clear: clear.slice(start, start + LIMITS_PER_STEP), set: [] })
  }
  for (let start = 0; start < set.length; start += LIMITS_PER_STEP) {
    steps.push({ clear: [], set: set.slice(start, start + LIMITS_PER_STEP) })
  }
  return steps
}

function endOf({ notCovered, stillNeeded }: NextQuotas): JobEnd {
  const still = stillNeeded === 0 ? '' : ` ${count(stillNeeded, 'deleted rule')} still enforced.`
  if (notCovered > 0) {
    return failure('rule-created-resize-skipped', `${count(notCovered, 'rule')} not enforced yet.${still} ${RESTART}`)
  }
  return stillNeeded > 0 ? failure('rule-deleted-still-enforced', `${still.trim()} ${RESTART}`) : success
}

const count = (number: number, noun: string): string =>
  number === 1 ? `1 ${noun} of the volume is` : `${number} ${noun}s of the volume are`
