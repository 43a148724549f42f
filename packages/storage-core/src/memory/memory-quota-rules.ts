import type { JobRepository } from '../jobs/job-repository.ts'
import { compileQuery } from '../query/compile-query.ts'
import { pageInMemory } from '../query/page-in-memory.ts'
import { softLimitAboveHard } from '../quota-rules/check-limits.ts'
import type { QuotaRule } from '../quota-rules/quota-rule.ts'
import { type QuotaRuleId, quotaRuleFields } from '../quota-rules/quota-rule.ts'
import { changeRule } from '../quota-rules/quota-rule-change.ts'
import type { QuotaRuleRepository } from '../quota-rules/quota-rule-repository.ts'
import { targetKeys } from '../quota-rules/quota-target.ts'
import { isSameRule } from '../quota-rules/same-rule.ts'
import { mapInTurns } from '../scheduling/map-in-turns.ts'
import type { VolumeId } from '../volumes/volume.ts'
import { createRulesByUuid } from './rules-by-uuid.ts'

/** Stores quota rules in memory until the process ends. Returns copies. */
export function memoryQuotaRules(jobs: Pick<JobRepository, 'add'>): QuotaRuleRepository {
  const rules = createRulesByUuid()
  /** The rule of each target key of each volume. */
  const targets = new Map<string, QuotaRuleId>()
  const volumes = new Map<VolumeId, Set<QuotaRuleId>>()

  const keys = ({ volume, target }: Pick<QuotaRule, 'volume' | 'target'>) =>
    targetKeys(target).map((key) => `${volume.uuid} ${key}`)
  const isTaken = (rule: QuotaRule) => keys(rule).some((key) => targets.has(key))
  const put = (rule: QuotaRule) => {
    rules.set(rule)
    for (const key of keys(rule)) targets.set(key, rule.uuid)
    const ofVolume = volumes.get(rule.volume.uuid) ?? new Set()
    volumes.set(rule.volume.uuid, ofVolume.add(rule.uuid))
  }
  const drop = (rule: QuotaRule) => {
    rules.delete(rule.uuid)
    for (const key of keys(rule)) targets.delete(key)
    volumes.get(rule.volume.uuid)?.delete(rule.uuid)
  }
  const ofVolume = (volume: VolumeId): readonly QuotaRule[] =>
    [...(volumes.get(volume) ?? [])].flatMap((uuid) => rules.get(uuid) ?? [])
  const ofQtree = (volume: VolumeId, name: string) =>
    name === '' ? [] : ofVolume(volume).filter(({ target }) => target.qtree === name)

  return {
    async add(rule, companion, job) {
      if (isTaken(rule)) return { rule: false, companion: false }
      put(structuredClone(rule))
      const addsCompanion = companion !== undefined && !isTaken(companion)
      if (addsCompanion) put(structuredClone(companion))
      if (job) await jobs.add(job)
      return { rule: true, companion: addsCompanion }
    },
    async find(uuid) {
      const rule = rules.get(uuid)
      return rule && copy(rule)
    },
    async list(request) {
      const page =
        request.order.length === 0 ? rules.page(request) : pageInMemory(quotaRuleFields, rules.values(), request)
      return { ...page, records: page.records.map(copy) }
    },
    async count(query) {
      const matches = compileQuery(quotaRuleFields, query)
      let count = 0
      for (const rule of rules.values()) if (matches(rule)) count += 1
      return count
    },
    async listOfVolume(volume) {
      return ofVolume(volume).map(copy)
    },
    async update(uuid, change, job) {
      const rule = rules.get(uuid)
      if (!rule) return undefined
      const changed = changeRule(rule, change)
      if (softLimitAboveHard(changed.limits)) return 'soft-above-hard'
      rules.set(changed)
      if (job) await jobs.add(job)
      return copy(changed)
    },
    async remove(uuid, job) {
      const rule = rules.get(uuid)
      if (!rule) return undefined
      drop(rule)
      if (job) await jobs.add(job)
      return rule
    },
    async findByKeys(volume, wanted) {
      const found = new Set(wanted.flatMap((key) => targets.get(`${volume} ${key}`) ?? []))
      return [...found].flatMap((uuid) => rules.get(uuid) ?? []).map(copy)
    },
    async applyBatch({ added, companions, replaced, removed, kept, jobs: batchJobs }) {
      // Copied before the atomic step, which lets no others run.
      const own = await mapInTurns(added, COPIES_IN_TURN, (rule) => structuredClone(rule))
      const changed = await mapInTurns(replaced, COPIES_IN_TURN, ({ after }) => structuredClone(after))
      const isStored = (rule: QuotaRule) => {
        const stored = rules.get(rule.uuid)
        return stored !== undefined && isSameRule(stored, rule)
      }
      if (![...replaced.map(({ before }) => before), ...removed, ...kept].every(isStored)) return false
      const freed = new Set(removed.flatMap(keys))
      if (added.some((rule) => keys(rule).some((key) => targets.has(key) && !freed.has(key)))) return false
      for (const rule of removed) drop(rule)
      for (const rule of changed) rules.set(rule)
      for (const rule of own) put(rule)
      for (const rule of companions) if (!isTaken(rule)) put(structuredClone(rule))
      for (const job of batchJobs) await jobs.add(job)
      return true
    },
    async linkQtree(volume, name, id) {
      for (const rule of ofQtree(volume, name)) rules.set({ ...rule, qtreeId: id })
    },
    async renameQtree(volume, from, to) {
      const renamed = ofQtree(volume, from).map((rule) => ({ ...rule, target: { ...rule.target, qtree: to } }))
      if (from !== to && renamed.some(isTaken)) return false
      for (const rule of ofQtree(volume, from)) drop(rule)
      for (const rule of renamed) put(rule)
      return true
    },
    async removeQtree(volume, name) {
      const removed = ofQtree(volume, name)
      for (const rule of removed) drop(rule)
      return removed
    },
  }
}

/** Some milliseconds. */
const COPIES_IN_TURN = 500

/** Copies two levels. Deeper levels need no copy, since this repository never changes a rule in place. */
const copy = (rule: QuotaRule): QuotaRule => ({
  ...rule,
  target: { ...rule.target },
  limits: { ...rule.limits },
})
