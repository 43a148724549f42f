import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileQuery } from '../query/compile-query.ts'
import type { Position } from '../query/page.ts'
import { pageInMemory } from '../query/page-in-memory.ts'
import { type QuotaRuleField, quotaRuleFields } from '../quota-rules/quota-rule.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import { arbitraryOrder, arbitraryQuery, arbitraryQuotaRules } from './arbitrary-quota-rules.ts'
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
]

/**
 * Random queries on random rules are answered as the in-memory evaluator answers them: the records, their order, the
 * places of the pages and the count.
 */
export function quotaRuleQueriesConformance(
  open: OpenReplicas<StorageRepositories>,
  { sets = 12, queries = 40 }: { readonly sets?: number; readonly queries?: number } = {},
): void {
  describe('quota rule queries', () => {
    it('agree with the evaluator in memory', { timeout: 300_000 }, async () => {
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
  })
}
