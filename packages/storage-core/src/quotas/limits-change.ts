import { sameLimits } from '../quota-rules/quota-limits.ts'
import type { EnforcedLimit, LimitsChange } from '../volumes/volume-backend.ts'
import { limitTargetKey } from './enforced-limits.ts'

/** Returns the change from one set of limits to another. */
export function limitsChange(before: readonly EnforcedLimit[], after: readonly EnforcedLimit[]): LimitsChange {
  const kept = new Map(before.map((limit) => [limitTargetKey(limit.target), limit]))
  const wanted = new Set(after.map(({ target }) => limitTargetKey(target)))
  return {
    clear: before.flatMap(({ target }) => (wanted.has(limitTargetKey(target)) ? [] : target)),
    set: after.filter((limit) => {
      const old = kept.get(limitTargetKey(limit.target))
      return !old || !sameLimits(old.limits, limit.limits)
    }),
  }
}

export const isEmpty = ({ clear, set }: LimitsChange): boolean => clear.length === 0 && set.length === 0
