import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { usageOrders } from './usage-bounds.ts'
import { type UsageCounts, UsageTotals } from './usage-totals.ts'

const counts = (requests: number, cost: number): UsageCounts => ({
  requests,
  failures: 0,
  partial: 0,
  inputTokens: requests * 2,
  outputTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  audioTokens: 0,
  searches: 0,
  images: 0,
  cost: BigInt(cost),
})

const nameOf = (index: number) => String(index).padStart(6, '0')
const addModel = (totals: UsageTotals, index: number, requests = 1, cost = 0) =>
  totals.add([nameOf(index)], () => ({ model: nameOf(index) }), counts(requests, cost))

describe('UsageTotals', () => {
  it('keeps exact sums of the first groups, in any order in which many are added', async () => {
    const totals = new UsageTotals({ limit: 3 })
    // A whole period of the generator.
    for (let round = 0; round < 2; round += 1) {
      for (let index = 0; index < 8_192; index += 1) addModel(totals, (index * 4_801 + 7) % 8_192)
    }
    const summaries = await totals.summaries()
    expect(summaries).toMatchObject([0, 1, 2].map((index) => ({ model: nameOf(index), requests: 2 })))
  })

  it('returns the largest groups and the sums of the others, by each order', async () => {
    const group = fc.record({ model: fc.nat(30), requests: fc.nat(5), cost: fc.nat(5) })
    const given = fc.array(group, { minLength: 1, maxLength: 80 })
    await fc.assert(
      fc.asyncProperty(
        given,
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(...usageOrders),
        async (all, count, order) => {
          const totals = new UsageTotals({ limit: 1, top: { count, order } })
          const sums = new Map<number, { requests: number; cost: number }>()
          for (const { model, requests, cost } of all) {
            addModel(totals, model, requests, cost)
            const { requests: before, cost: paid } = sums.get(model) ?? { requests: 0, cost: 0 }
            sums.set(model, { requests: before + requests, cost: paid + cost })
          }
          const size = order === 'cost' ? 'cost' : 'requests'
          const sorted = [...sums].sort(([one, a], [other, b]) => b[size] - a[size] || one - other)
          const rest = sorted.slice(count).reduce((sum, [, { requests }]) => sum + requests, 0)
          expect(await totals.summaries()).toMatchObject([
            ...sorted.slice(0, count).map(([model, { requests }]) => ({ model: nameOf(model), requests })),
            ...(sorted.length > count ? [{ isOther: true, requests: rest }] : []),
          ])
        },
      ),
    )
  })

  it('refuses to select the largest of more than 100,000 groups', async () => {
    const totals = new UsageTotals({ limit: 1, top: { count: 1, order: 'cost' } })
    for (let index = 0; index <= 100_000; index += 1) addModel(totals, index)
    expect(totals.isTooLarge).toBe(true)
    expect(await totals.summaries()).toBe('too-large')
  })
})
