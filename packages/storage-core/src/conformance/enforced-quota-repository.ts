import { describe, expect, it } from 'vitest'
import type { EnforcedQuota } from '../quotas/enforced-quota.ts'
import { MAXIMUM_SIZE } from '../sizes/size.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import { ruleId, volumeId } from './records.ts'
import { type OpenReplicas, openOne } from './replicas.ts'

const tree: EnforcedQuota = { rule: ruleId(1), target: { type: 'tree', qtree: '' }, limits: {} }
const users: EnforcedQuota = {
  rule: ruleId(2),
  target: { type: 'user', users: [{ name: 'sam' }, { id: '7' }], qtree: 'q' },
  limits: { spaceHard: MAXIMUM_SIZE, spaceSoft: 2n ** 53n, filesHard: 0, filesSoft: Number.MAX_SAFE_INTEGER },
  userMapping: true,
}

export function enforcedQuotaRepositoryConformance(open: OpenReplicas<StorageRepositories>): void {
  describe('enforced quota repository', () => {
    it('has no quotas at first', async () => {
      const { enforcedQuotas } = await openOne(open)
      expect(await enforcedQuotas.list(volumeId(1))).toEqual([])
      expect(await enforcedQuotas.find(volumeId(1), ruleId(1))).toBeUndefined()
      await enforcedQuotas.remove(volumeId(1), ruleId(1))
    })

    it('replaces the quotas of one volume only', async () => {
      const { enforcedQuotas } = await openOne(open)
      await enforcedQuotas.replace(volumeId(2), [tree])
      await enforcedQuotas.replace(volumeId(1), [tree])
      await enforcedQuotas.replace(volumeId(1), [users])
      expect(await enforcedQuotas.list(volumeId(1))).toEqual([users])
      expect(await enforcedQuotas.list(volumeId(2))).toEqual([tree])
      await enforcedQuotas.replace(volumeId(1), [])
      expect(await enforcedQuotas.list(volumeId(1))).toEqual([])
    })

    it('puts, finds and removes the quota of a rule', async () => {
      const { enforcedQuotas } = await openOne(open)
      await enforcedQuotas.put(volumeId(1), tree)
      await enforcedQuotas.put(volumeId(1), users)
      const resized = { ...tree, limits: { spaceSoft: 4096 } }
      await enforcedQuotas.put(volumeId(1), resized)
      expect(await enforcedQuotas.find(volumeId(1), tree.rule)).toEqual(resized)
      expect(await enforcedQuotas.find(volumeId(1), users.rule)).toEqual(users)
      expect(await enforcedQuotas.list(volumeId(1))).toHaveLength(2)
      await enforcedQuotas.remove(volumeId(1), tree.rule)
      expect(await enforcedQuotas.list(volumeId(1))).toEqual([users])
    })

    it('puts and removes quotas of one volume in one step', async () => {
      const { enforcedQuotas } = await openOne(open)
      const other = { ...tree, rule: ruleId(3) }
      await enforcedQuotas.replace(volumeId(1), [tree, users])
      await enforcedQuotas.replace(volumeId(2), [tree, users])
      const resized = { ...tree, limits: { spaceHard: 4096 } }
      await enforcedQuotas.change(volumeId(1), { put: [resized, other], removed: [users.rule, ruleId(9)] })
      expect(await enforcedQuotas.find(volumeId(1), tree.rule)).toEqual(resized)
      expect(await enforcedQuotas.find(volumeId(1), other.rule)).toEqual(other)
      expect(await enforcedQuotas.list(volumeId(1))).toHaveLength(2)
      expect(await enforcedQuotas.list(volumeId(2))).toHaveLength(2)
      const many = Array.from({ length: 2500 }, (_, index) => ({ ...tree, rule: ruleId(100 + index) }))
      await enforcedQuotas.change(volumeId(1), { put: many, removed: [] })
      await enforcedQuotas.change(volumeId(1), { put: [], removed: many.slice(1).map(({ rule }) => rule) })
      expect(await enforcedQuotas.list(volumeId(1))).toHaveLength(3)
    })

    it('keeps thousands of quotas of one volume', async () => {
      const { enforcedQuotas } = await openOne(open)
      const many = Array.from({ length: 3000 }, (_, index) => ({
        ...tree,
        rule: ruleId(index),
        target: { type: 'tree' as const, qtree: `q${index}` },
      }))
      await enforcedQuotas.replace(volumeId(1), many)
      expect(await enforcedQuotas.list(volumeId(1))).toHaveLength(3000)
      expect(await enforcedQuotas.find(volumeId(1), ruleId(2999))).toEqual(many[2999])
    })
  })
}
