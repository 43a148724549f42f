import type { QuotaRuleId } from '../quota-rules/quota-rule.ts'
import type { VolumeId } from '../volumes/volume.ts'
import type { EnforcedQuota } from './enforced-quota.ts'

/** The store of enforced quotas, at most one for each rule of a volume. A rejection means that the store failed. */
export interface EnforcedQuotaRepository {
  /** Lists the quotas of a volume, in any order. */
  list(volume: VolumeId): Promise<readonly EnforcedQuota[]>
  /** Returns the quota of a rule on the volume, or `undefined`. */
  find(volume: VolumeId, rule: QuotaRuleId): Promise<EnforcedQuota | undefined>
  /** Replaces all quotas of a volume. Atomic. */
  replace(volume: VolumeId, quotas: readonly EnforcedQuota[]): Promise<void>
  /** Adds a quota, or replaces that of the same rule on the volume. */
  put(volume: VolumeId, quota: EnforcedQuota): Promise<void>
  /** Puts quotas and removes those of other rules. Atomic. A removal without effect is ignored. */
  change(volume: VolumeId, change: EnforcedQuotasChange): Promise<void>
  /** Removes the quota of a rule. Without effect when it is absent. */
  remove(volume: VolumeId, rule: QuotaRuleId): Promise<void>
}

/** The quotas to put, and the rules whose quotas are removed. No rule occurs twice. */
export interface EnforcedQuotasChange {
  readonly put: readonly EnforcedQuota[]
  readonly removed: readonly QuotaRuleId[]
}
