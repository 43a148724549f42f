import type { QuotaRuleId } from '../quota-rules/quota-rule.ts'
import type { VolumeId } from '../volumes/volume.ts'
import type { EnforcedQuota } from './enforced-quota.ts'

/** Where the enforced quotas of volumes are kept, at most one for each rule. Rejections mean that the store failed. */
export interface EnforcedQuotaRepository {
  /** In no order. */
  list(volume: VolumeId): Promise<readonly EnforcedQuota[]>
  find(volume: VolumeId, rule: QuotaRuleId): Promise<EnforcedQuota | undefined>
  /** Makes these the volume's only ones, in one atomic step. */
  replace(volume: VolumeId, quotas: readonly EnforcedQuota[]): Promise<void>
  /** Adds one, or replaces the one of the same rule. */
  put(volume: VolumeId, quota: EnforcedQuota): Promise<void>
  remove(volume: VolumeId, rule: QuotaRuleId): Promise<void>
}
