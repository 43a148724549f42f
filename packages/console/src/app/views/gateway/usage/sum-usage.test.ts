import { expect, it } from 'vitest'
import { daysUntil, seriesOf, totalsOf, type UsageRow } from './sum-usage.ts'

const row = (day: string, model: string, requests: number): UsageRow => ({
  day,
  model,
  requests,
  input_tokens: requests * 10,
  output_tokens: requests,
})
const model = ({ model: name = '' }: UsageRow) => name

it('returns the totals by name, the largest first', () => {
  const rows = [row('2026-01-01', 'a', 1), row('2026-01-02', 'b', 5), row('2026-01-02', 'a', 2)]
  expect(totalsOf(rows, 'requests', model)).toEqual([
    ['b', 5],
    ['a', 3],
  ])
  expect(totalsOf(rows, 'tokens', model)[0]).toEqual(['b', 55])
})

it('returns series with a value for every day, and one series for all small parts', () => {
  const days = daysUntil(new Date('2026-03-01T12:00:00Z'), 3)
  expect(days).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
  const rows = ['a', 'b', 'c', 'd', 'e'].map((name, index) => row('2026-02-28', name, 10 - index))
  expect(seriesOf(rows, days, 'requests', model)).toEqual([
    { label: 'a', values: [0, 10, 0] },
    { label: 'b', values: [0, 9, 0] },
    { label: 'c', values: [0, 8, 0] },
    { label: 'others', values: [0, 13, 0] },
  ])
})
