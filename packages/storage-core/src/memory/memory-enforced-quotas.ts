import type { QuotaRuleId } from '../quota-rules/quota-rule.ts'
import type { EnforcedQuota } from '../quotas/enforced-quota.ts'
import type { EnforcedQuotaRepository } from '../quotas/enforced-quota-repository.ts'
import type { VolumeId } from '../volumes/volume.ts'

/** Stores enforced quotas in memory until the process ends. Returns copies. */
export function memoryEnforcedQuotas(): EnforcedQuotaRepository {
  const volumes = new Map<VolumeId, Map<QuotaRuleId, EnforcedQuota>>()
  return {
    async list(volume) {
      return structuredClone([...(volumes.get(volume)?.values() ?? [])])
    },
    async find(volume, rule) {
      return structuredClone(volumes.get(volume)?.get(rule))
    },
    async replace(volume, quotas) {
      volumes.set(volume, new Map(structuredClone(quotas).map((quota) => [quota.rule, quota])))
    },
    async put(volume, quota) {
      const stored = volumes.get(volume) ?? new Map<QuotaRuleId, EnforcedQuota>()
      volumes.set(volume, stored.set(quota.rule, structuredClone(quota)))
    },
    async change(volume, { put, removed }) {
      const stored = volumes.get(volume) ?? new Map<QuotaRuleId, EnforcedQuota>()
      for (const rule of removed) stored.delete(rule)
      for (const quota of structuredClone(put)) stored.set(quota.rule, quota)
      volumes.set(volume, stored)
    },
    async remove(volume, rule) {
      volumes.get(volume)?.delete(rule)
    },
  }
}
