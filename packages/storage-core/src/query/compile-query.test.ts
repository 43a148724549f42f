import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryOrder, arbitraryQuery, arbitraryQuotaRules } from '../conformance/arbitrary-quota-rules.ts'
import { type QuotaRule, type QuotaRuleField, quotaRuleFields } from '../quota-rules/quota-rule.ts'
import { compareValues } from './compare-values.ts'
import { compileQuery } from './compile-query.ts'
import { fullOrder, type Position } from './page.ts'
import { comparePositions, pageInMemory, positionOf } from './page-in-memory.ts'
import { everything, type Query } from './query.ts'

const names = [
  'type',
  'userName',
  'groupName',
  'qtreeName',
  'qtreeId',
  'userMapping',
  'spaceHard',
  'filesSoft',
] as const
const query = arbitraryQuery(quotaRuleFields, [...names])
const rules = arbitraryQuotaRules()
const select = (from: readonly QuotaRule[], wanted: Query<QuotaRuleField>) =>
  from.filter(compileQuery(quotaRuleFields, wanted))

describe('compileQuery', () => {
  it('matches everything when it has no clause, and nothing when a clause has no condition', () => {
    fc.assert(
      fc.property(rules, (all) => {
        expect(select(all, everything)).toEqual(all)
        expect(select(all, { all: [{ any: [] }] })).toEqual([])
      }),
    )
  })

  it('matches the intersection of clauses, and the union of the conditions of a clause', () => {
    fc.assert(
      fc.property(rules, query, (all, wanted) => {
        const one = (rule: QuotaRule) =>
          wanted.all.every(({ any }) =>
            any.some((condition) => select([rule], { all: [{ any: [condition] }] }).length > 0),
          )
        expect(select(all, wanted)).toEqual(all.filter(one))
      }),
    )
  })

  it('splits the records with a set field between a condition and its negation', () => {
    fc.assert(
      fc.property(rules, query, (all, wanted) => {
        for (const condition of wanted.all.flatMap(({ any }) => any)) {
          if (condition.term.kind === 'null') continue
          const matching = (negated: boolean) => select(all, { all: [{ any: [{ ...condition, negated }] }] })
          const set = select(all, {
            all: [{ any: [{ field: condition.field, negated: true, term: { kind: 'null' } }] }],
          })
          expect(new Set([...matching(true), ...matching(false)])).toEqual(new Set(set))
          expect(matching(true).filter((rule) => matching(false).includes(rule))).toEqual([])
        }
      }),
    )
  })
})

describe('compareValues', () => {
  it('orders text like its UTF-8 bytes', () => {
    const encoder = new TextEncoder()
    const bytes = (text: string) => [...encoder.encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), (left, right) => {
        const a = bytes(left)
        const b = bytes(right)
        expect(Math.sign(compareValues(left, right))).toBe(a < b ? -1 : a > b ? 1 : 0)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('pageInMemory', () => {
  it('returns every matching record once, in order, over all pages', () => {
    fc.assert(
      fc.property(
        rules,
        query,
        arbitraryOrder([...names]),
        fc.integer({ min: 1, max: 9 }),
        (all, wanted, order, limit) => {
          const found: QuotaRule[] = []
          let start: Position | undefined
          do {
            const page = pageInMemory(quotaRuleFields, all, { query: wanted, order, limit, ...(start && { start }) })
            expect(page.records.length).toBeLessThanOrEqual(limit)
            if (page.next) expect(page.records).toHaveLength(limit)
            found.push(...page.records)
            start = page.next
          } while (start)
          const whole = fullOrder(quotaRuleFields, order)
          const place = positionOf(quotaRuleFields, whole)
          const compare = comparePositions(whole)
          expect(found).toEqual(select(all, wanted).toSorted((left, right) => compare(place(left), place(right))))
        },
      ),
    )
  })

  it('returns the first 3 of 5,000 records and the next position', () => {
    const many = Array.from({ length: 5000 }, (_, index): QuotaRule => {
      const number = (index * 7919) % 5000
      return {
        uuid: String(number).padStart(4, '0') as QuotaRule['uuid'],
        svm: { uuid: 's' as QuotaRule['svm']['uuid'], name: 's' },
        volume: { uuid: 'v' as QuotaRule['volume']['uuid'], name: 'v' },
        target: { type: 'tree', qtree: `q${number}` },
        limits: { spaceHard: number % 7 },
      }
    })
    const order = [{ field: 'spaceHard', descending: true }] as const
    const page = pageInMemory(quotaRuleFields, many, { query: everything, order, limit: 3 })
    expect(page.records.map(({ uuid }) => uuid)).toEqual(['4997', '4990', '4983'])
    expect(page.next).toEqual([6, '4976'])
  })
})
