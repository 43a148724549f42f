import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileQuery } from '../query/compile-query.ts'
import type { Position } from '../query/page.ts'
import { pageInMemory } from '../query/page-in-memory.ts'
import type { Condition } from '../query/query.ts'
import { type QuotaRuleField, quotaRuleFields } from '../quota-rules/quota-rule.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import { arbitraryOrder, arbitraryQuery, arbitraryQuotaRules } from './arbitrary-quota-rules.ts'
import { aRule, ruleId } from './records.ts'
import { type OpenReplicas, openOne } from './replicas.ts'

const names: readonly [QuotaRuleField, ...QuotaRuleField[]] = [
  'uuid',
  'svmUuid',
  'svmName',
  'volumeUuid',
  'volumeName',
  'type',
  'userName',
  'userId',
  'groupName',
  'groupId',
  'qtreeName',
  'qtreeId',
  'userMapping',
  'spaceHard',
  'spaceSoft',
  'filesHard',
  'filesSoft',
  'gracePeriodSeconds',
]

/**
 * Registers Vitest cases that compare the answers to random queries on random rules with those of the in-memory
 * evaluator: the records, their order, the positions of the pages and the count.
 */
export function quotaRuleQueriesConformance(
  open: OpenReplicas<StorageRepositories>,
  { sets = 12, queries = 40 }: { readonly sets?: number; readonly queries?: number } = {},
): void {
  describe('quota rule repository', () => {
    it('answers queries like the in-memory evaluator', { timeout: 300_000 }, async () => {
      const many = fc.array(fc.tuple(arbitraryQuery(quotaRuleFields, names), arbitraryOrder(names)), {
        minLength: queries,
        maxLength: queries,
      })
      await fc.assert(
        fc.asyncProperty(arbitraryQuotaRules(), many, async (rules, asked) => {
          const { quotaRules } = await openOne(open)
          for (const rule of rules) await quotaRules.add(rule)
          for (const [query, order] of asked) {
            const matches = rules.filter(compileQuery(quotaRuleFields, query))
            expect(await quotaRules.count(query)).toBe(matches.length)
            let start: Position | undefined
            do {
              const request = { query, order, limit: 7, ...(start && { start }) }
              const page = await quotaRules.list(request)
              expect(page).toEqual(pageInMemory(quotaRuleFields, rules, request))
              start = page.next
            } while (start)
          }
        }),
        { numRuns: sets, endOnFailure: true },
      )
    })

    describe('long queries', () => {
      const some = Array.from({ length: 1200 }, (_, index) => index)
      const equal = (field: QuotaRuleField, value: (index: number) => string | number, negated = false) =>
        some.map((index): Condition<QuotaRuleField> => {
          return { field, negated, term: { kind: 'equals', value: value(index) } }
        })
      const like = (field: QuotaRuleField) =>
        some.map((index): Condition<QuotaRuleField> => {
          return { field, negated: false, term: { kind: 'pattern', parts: [`u${index}`, ''] } }
        })
      const named = (index: number) => `u${index}`
      const long: Readonly<Record<string, readonly (readonly Condition<QuotaRuleField>[])[]>> = {
        'a list of values': [equal('userName', named)],
        'lists of values of several fields': [
          equal('uuid', ruleId),
          equal('volumeName', (index) => `vol${index}`),
          [...equal('qtreeName', named), { field: 'qtreeName', negated: false, term: { kind: 'null' } }],
        ],
        'a list of excluded values': [equal('userName', named, true).slice(0, 150)],
        'lists of patterns of several fields': [
          like('userName'),
          [...like('qtreeName'), { field: 'qtreeName', negated: false, term: { kind: 'null' } }],
        ],
        'many conditions': equal('spaceHard', (index) => index, true).map((condition) => [condition]),
        'many repetitions of one condition': equal('volumeName', () => 'vol1').map((condition) => [condition]),
      }
      it.each(Object.keys(long))('answers a query with %s', async (name) => {
        const { quotaRules } = await openOne(open)
        const rules = [1, 2, 3, 1500].map((index) =>
          aRule(index, { target: { type: 'user', users: [{ name: named(index) }] }, limits: { spaceHard: 5000 } }),
        )
        for (const rule of rules) await quotaRules.add(rule)
        const query = { all: (long[name] ?? []).map((any) => ({ any })) }
        const request = { query, order: [], limit: 10 }
        expect(await quotaRules.list(request)).toEqual(pageInMemory(quotaRuleFields, rules, request))
        expect(await quotaRules.count(query)).toBe(rules.filter(compileQuery(quotaRuleFields, query)).length)
      })
    })
  })
}
