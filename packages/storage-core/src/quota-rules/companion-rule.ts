import type { QuotaRule, QuotaRuleId } from './quota-rule.ts'
import { defaultTarget, isDefaultTarget } from './quota-target.ts'

/** Whether a rule is the default rule of its type, of the whole volume. */
export const isVolumeDefault = ({ target }: Pick<QuotaRule, 'target'>): boolean =>
  isDefaultTarget(target) && (target.type === 'tree' || target.qtree === undefined)

/** Returns the default rule that a volume needs beside a rule, or `undefined` for that rule itself. */
export function companionRule(
  { svm, volume, target }: Pick<QuotaRule, 'svm' | 'volume' | 'target'>,
  newId: () => QuotaRuleId,
): QuotaRule | undefined {
  if (isVolumeDefault({ target })) return undefined
  return { uuid: newId(), svm, volume, target: defaultTarget(target.type), limits: {} }
}
