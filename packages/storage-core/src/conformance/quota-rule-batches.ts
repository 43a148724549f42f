import { describe, expect, it } from 'vitest'
import { everything } from '../query/query.ts'
import type { QuotaRule } from '../quota-rules/quota-rule.ts'
import type { QuotaRuleBatch } from '../quota-rules/quota-rule-repository.ts'
import { type QuotaTarget, targetKeys } from '../quota-rules/quota-target.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import { aJob, aRule, ruleId, volumeId } from './records.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'

const defaults: QuotaRule = aRule(90, { target: { type: 'tree', qtree: '' } })

const users = (...[first = '', ...others]: readonly string[]): QuotaTarget => ({
  type: 'user',
  users: [{ name: first }, ...others.map((name) => ({ name }))],
})

const batch = (changes: Partial<QuotaRuleBatch>): QuotaRuleBatch => ({
  added: [],
  companions: [],
  replaced: [],
  removed: [],
  kept: [],
  jobs: [],
  ...changes,
})

const sorted = (rules: readonly QuotaRule[]) => rules.toSorted((one, other) => (one.uuid < other.uuid ? -1 : 1))

export function quotaRuleBatchesConformance(open: OpenReplicas<StorageRepositories>): void {
  const stored = async ({ quotaRules }: StorageRepositories) =>
    (await quotaRules.list({ query: everything, order: [], limit: 10_000 })).records

  describe('batches of quota rules', () => {
    it('adds, replaces and removes rules and adds jobs in one step', async () => {
      const repositories = await openOne(open)
      const { quotaRules, jobs } = repositories
      const [changed, removed, kept] = [
        aRule(1, { target: users('sam', 'smith'), limits: { spaceHard: 2048 }, userMapping: true }),
        aRule(2),
        aRule(3),
      ]
      for (const rule of [changed, removed, kept]) await quotaRules.add(rule)
      const after = { ...changed, limits: { filesSoft: 5 }, userMapping: false }
      const added = aRule(4, { target: removed.target, qtreeId: 9, limits: { spaceSoft: Number.MAX_SAFE_INTEGER } })
      const applied = await quotaRules.applyBatch(
        batch({
          added: [added, aRule(5, { target: users('eve', 'bob') })],
          companions: [defaults, aRule(6, { target: users('') })],
          replaced: [{ before: changed, after }],
          removed: [removed],
          jobs: [aJob(1), aJob(2)],
        }),
      )
      expect(applied).toBe(true)
      expect(await stored(repositories)).toEqual(
        sorted([
          after,
          kept,
          added,
          aRule(5, { target: users('eve', 'bob') }),
          defaults,
          aRule(6, { target: users('') }),
        ]),
      )
      expect((await jobs.list({ query: everything, order: [], limit: 5 })).records).toEqual([aJob(1), aJob(2)])
      expect(await quotaRules.add(aRule(7, { target: users('smith') }))).toMatchObject({ rule: false })
      expect(await quotaRules.add(aRule(7, { target: users('bob') }))).toMatchObject({ rule: false })
    })

    it('changes nothing when a rule that is to stay has changed or does not exist', async () => {
      const repositories = await openOne(open)
      const kept = aRule(1, { limits: { spaceHard: 4096 } })
      await repositories.quotaRules.add(kept)
      const added = [aRule(2)]
      const changed = { ...kept, limits: { spaceHard: 8192 } }
      expect(await repositories.quotaRules.applyBatch(batch({ added, kept: [changed] }))).toBe(false)
      expect(await repositories.quotaRules.applyBatch(batch({ added, kept: [aRule(3)] }))).toBe(false)
      expect(await stored(repositories)).toEqual([kept])
      expect(await repositories.quotaRules.applyBatch(batch({ added, kept: [kept] }))).toBe(true)
      expect(await stored(repositories)).toEqual(sorted([kept, ...added]))
    })

    it('adds no companion whose target has a rule', async () => {
      const repositories = await openOne(open)
      await repositories.quotaRules.add(defaults)
      const other = { ...defaults, uuid: ruleId(91) }
      expect(await repositories.quotaRules.applyBatch(batch({ added: [aRule(1)], companions: [other] }))).toBe(true)
      expect(await stored(repositories)).toEqual(sorted([aRule(1), defaults]))
    })

    const outdated: readonly [string, Partial<QuotaRuleBatch>][] = [
      ['a target that a rule has', { added: [aRule(8, { target: users('smith') })] }],
      ['a rule to replace that is deleted', { replaced: [{ before: aRule(9), after: aRule(9, { limits: {} }) }] }],
      [
        'a rule to replace that was changed',
        { replaced: [{ before: aRule(2, { limits: { filesHard: 1 } }), after: aRule(2) }] },
      ],
      ['a rule to remove that is deleted', { removed: [aRule(9)] }],
      ['a rule to remove whose qtree was renamed', { removed: [aRule(2, { target: { type: 'tree', qtree: 'old' } })] }],
    ]
    it.each(outdated)('changes nothing for %s', async (_, changes) => {
      const repositories = await openOne(open)
      const { quotaRules, jobs } = repositories
      const rules = [aRule(1, { target: users('sam', 'smith') }), aRule(2), aRule(3)]
      for (const rule of rules) await quotaRules.add(rule)
      const whole = batch({
        added: [aRule(4), ...(changes.added ?? [])],
        companions: [defaults],
        replaced: [{ before: aRule(3), after: aRule(3, { limits: { spaceHard: 1024 } }) }, ...(changes.replaced ?? [])],
        removed: changes.removed ?? [],
        jobs: [aJob(1)],
      })
      expect(await quotaRules.applyBatch(whole)).toBe(false)
      expect(await stored(repositories)).toEqual(rules)
      expect(await jobs.count(everything)).toBe(0)
      expect(await quotaRules.add(aRule(4))).toMatchObject({ rule: true })
    })

    it('applies one of many batches that processes send for the same rules at the same time', async () => {
      const of = alternating(await open(4))
      await of(0).quotaRules.add(aRule(1))
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, index) => {
          const number = 100 * (index + 1)
          return of(index).quotaRules.applyBatch(
            batch({
              added: Array.from({ length: 20 }, (__, at) =>
                aRule(number + at, { target: users(`u${at}`, `v${index}-${at}`) }),
              ),
              replaced: [{ before: aRule(1), after: aRule(1, { limits: { filesHard: number } }) }],
              jobs: [aJob(index + 1)],
            }),
          )
        }),
      )
      expect(outcomes.filter((applied) => applied)).toHaveLength(1)
      const winner = outcomes.indexOf(true)
      expect(await of(1).quotaRules.count(everything)).toBe(21)
      expect((await of(1).quotaRules.find(ruleId(1)))?.limits).toEqual({ filesHard: 100 * (winner + 1) })
      const { records } = await of(2).jobs.list({ query: everything, order: [], limit: 9 })
      expect(records).toEqual([aJob(winner + 1)])
    })

    it('applies batches and single changes that do not meet, at the same time', async () => {
      const of = alternating(await open(4))
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, async (_, index) => {
          const number = 100 * (index + 1)
          const added = Array.from({ length: 10 }, (__, at) => aRule(number + at))
          const alone = await of(index + 1).quotaRules.add(aRule(number + 50), {
            ...defaults,
            uuid: ruleId(number + 60),
          })
          const companions = [{ ...defaults, uuid: ruleId(number + 61) }]
          return alone.rule && (await of(index).quotaRules.applyBatch(batch({ added, companions })))
        }),
      )
      expect(outcomes).toEqual(outcomes.map(() => true))
      expect(await of(0).quotaRules.count(everything)).toBe(8 * 11 + 1)
    })

    it('applies a batch of thousands of rules, and finds them by their keys', async () => {
      const repositories = await openOne(open)
      const { quotaRules } = repositories
      const added = Array.from({ length: 2500 }, (_, index) =>
        aRule(index, { target: users(`a${index}`, `b${index}`) }),
      )
      expect(await quotaRules.applyBatch(batch({ added }))).toBe(true)
      const keys = added.flatMap(({ target }) => targetKeys(target))
      const found = await quotaRules.findByKeys(volumeId(1), [...keys, 'user//name:other'])
      expect(sorted(found)).toEqual(sorted(added))
      const after = added.map((rule) => ({ ...rule, limits: { spaceHard: 4096 } }))
      const [replaced, removed] = [after.slice(0, 1500), added.slice(1500)]
      const pairs = replaced.map((rule, index) => ({ before: added[index] ?? rule, after: rule }))
      expect(await quotaRules.applyBatch(batch({ replaced: pairs, removed }))).toBe(true)
      expect(await stored(repositories)).toEqual(sorted(replaced))
      expect(sorted(await quotaRules.findByKeys(volumeId(1), keys))).toEqual(sorted(replaced))
    })

    it('finds the rules of one volume only, each once, and as copies', async () => {
      const { quotaRules } = await openOne(open)
      const target = users('sam', 'smith')
      await quotaRules.add(aRule(1, { target }))
      await quotaRules.add(aRule(2, { target, volume: { uuid: volumeId(2), name: 'vol2' } }))
      await quotaRules.add(aRule(3, { target: users('eve') }))
      const [found] = await quotaRules.findByKeys(volumeId(1), targetKeys(target))
      expect(found).toEqual(aRule(1, { target }))
      expect(await quotaRules.findByKeys(volumeId(1), [...targetKeys(target), ...targetKeys(target)])).toHaveLength(1)
      expect(await quotaRules.findByKeys(volumeId(1), [])).toEqual([])
      expect(await quotaRules.findByKeys(volumeId(3), targetKeys(target))).toEqual([])
    })
  })
}
