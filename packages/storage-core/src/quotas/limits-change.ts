import { sameLimits } from '../quota-rules/quota-limits.ts'
import type { EnforcedLimit, LimitsChange } from '../volumes/volume-backend.ts'
import { limitTargetKey } from './enforced-limits.ts'

/** Returns the change from one set of limits to another. */
export function limitsChange(before: readonly EnforcedLimit[], after: readonly EnforcedLimit[]): LimitsChange {
  const kept = new Map(before.map((limit) => [limitTargetKey(limit.target), limit]))
  const cleared = new Map(kept)
  const set = after.filter((limit) => {
    const key = limitTargetKey(limit.target)
    const old = kept.get(key)
    cleared.delete(key)
    return !old || !sameLimits(old.limits, limit.limits)
  })
  return { clear: [...cleared.values()].map(({ target }) => target), set }
}

export const isEmpty = ({ clear, set }: LimitsChange): boolean => clear.length === 0 && set.length === 0
