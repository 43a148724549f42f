import type { QuotaLimitsChange } from '../../quota-rules/quota-limits.ts'
import type { QuotaRuleChange } from '../../quota-rules/quota-rule-change.ts'
import type { CreateQuotaRule } from '../../quota-rules/quota-rules.ts'
import type { Named } from '../../volumes/find-volume.ts'
import type { Caller } from '../access/caller.ts'
import type { RuleBody, RulePatch } from './rule-operations.ts'

/** Returns the request of a body that creates a rule, within what the caller sees. */
export const createRequest = (
  body: RuleBody,
  svm: Named | undefined,
  { sight }: Pick<Caller, 'sight'>,
): CreateQuotaRule => ({
  ...(svm && { svm }),
  ...(body.volume && { volume: body.volume }),
  ...(sight && { among: sight.volumes }),
  type: body.type,
  ...(body.users && { users: body.users }),
  ...(body.group && { group: body.group }),
  ...(body.qtree?.name !== undefined && { qtree: body.qtree.name }),
  ...(body.user_mapping !== undefined && { userMapping: body.user_mapping }),
  limits: limitsOf(body),
  ...notificationsOf(body),
})

export const changeOf = (body: RulePatch): QuotaRuleChange => ({
  limits: limitsOf(body),
  ...notificationsOf(body),
  ...(body.user_mapping !== undefined && { userMapping: body.user_mapping }),
})

const notificationsOf = ({ grace_period, thresholds }: Pick<RulePatch, 'grace_period' | 'thresholds'>) => ({
  ...(grace_period !== undefined && { gracePeriodSeconds: grace_period }),
  ...(thresholds !== undefined && { thresholds }),
})

function limitsOf({ space, files }: Pick<RulePatch, 'space' | 'files'>): QuotaLimitsChange {
  const limits = {
    spaceHard: space?.hard_limit,
    spaceSoft: space?.soft_limit,
    filesHard: files?.hard_limit,
    filesSoft: files?.soft_limit,
  }
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
}
