import { gatewayContract } from '@trivium/gateway-core/http'
import { createClient } from '@trivium/http-client'
import { describe, expect, it } from 'vitest'
import { readUsage } from './read-usage.ts'
import { amountOf, amountsBy, daysUntil, filterOf, rowName, type UsageRow, withOthers } from './sum-usage.ts'

const row = (requests: number, differences: Partial<UsageRow> = {}): UsageRow => ({
  requests,
  input_tokens: requests * 10,
  output_tokens: requests,
  cost: '0.000000001',
  ...differences,
})

it('returns the amount of a measure', () => {
  expect([amountOf(row(2), 'requests'), amountOf(row(2), 'tokens'), amountOf(row(2), 'cost')]).toEqual([2, 22, 1e-9])
})

it('returns the filter of a row, unless other rows are its rest or it has no key', () => {
  expect(filterOf(row(1, { model: 'm' }), 'model')).toEqual({ model: 'm' })
  expect(filterOf(row(1, { key_id: 'k' }), 'key')).toEqual({ key_id: 'k' })
  expect(filterOf(row(1, { key_id: null, user_id: 'u' }), 'key')).toEqual({ user_id: 'u' })
  expect(filterOf(row(1, { key_id: null }), 'key')).toBeUndefined()
  expect(filterOf(row(1, { other: true }), 'model')).toBeUndefined()
})

it('names a row by its key and its user, and a deleted key by its id', () => {
  const key = { key_id: 'k', username: 'ada' }
  expect(rowName(row(1, { ...key, key_name: 'notebook' }), 'key')).toBe('notebook of ada')
  expect(rowName(row(1, key), 'key')).toBe('ada')
  expect(rowName(row(1, { key_id: 'k' }), 'key')).toBe('k')
  expect(rowName(row(1, { key_id: null }), 'key')).toBe('the admin')
  expect(rowName(row(1, { other: true }), 'key')).toBe('all others')
})

it('returns series with a value for every day, and one series for all that is not listed', () => {
  const days = daysUntil(new Date('2026-03-01T12:00:00Z'), 3)
  expect(days).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
  const all = amountsBy(days, [row(10, { day: '2026-02-28' }), row(4, { day: '2026-03-01' })], 'requests')
  const largest = [{ label: 'a', values: amountsBy(days, [row(7, { day: '2026-02-28' })], 'requests') }]
  expect(withOthers(largest, all)).toEqual([
    { label: 'a', values: [0, 7, 0] },
    { label: 'others', values: [0, 3, 4] },
  ])
  expect(withOthers([{ label: 'a', values: all }], all)).toHaveLength(1)
  expect(withOthers([{ label: 'a', values: [0.1, 0.2] }], [0.1, 0.1 + 0.2 - 0.1])).toHaveLength(1)
})

describe('readUsage', () => {
  it('reads the largest parts with the sums of all others, so that no request is cut off', async () => {
    const asked: Readonly<Record<string, unknown>>[] = []
    const answer = async (url: string) => {
      const { from, ...rest } = Object.fromEntries(new URL(url).searchParams)
      asked.push(rest)
      const data = rest.top
        ? [row(50, { model: 'a' }), row(9, { model: 'b' }), row(167_238, { other: true })]
        : [row(rest.model === 'a' ? 50 : 217_247, { day: '2026-03-01' })]
      return Response.json({ object: 'list', from, to: from, data, has_more: false })
    }
    const gateway = createClient(gatewayContract, {
      baseUrl: 'http://gateway.test',
      fetch: (url) => answer(String(url)),
    })
    const request = { span: 7, measure: 'cost', part: 'model' } as const
    const { rows, all, largest } = await readUsage(gateway, request, new AbortController().signal)
    expect(asked[0]).toMatchObject({ group_by: 'model', top: '50', order: 'cost' })
    expect(asked.slice(1).map(({ group_by, model }) => [group_by, model])).toEqual([
      ['day', undefined],
      ['day', 'a'],
      ['day', 'b'],
    ])
    expect(rows.at(-1)).toMatchObject({ other: true, requests: 167_238 })
    expect(all).toMatchObject([{ requests: 217_247 }])
    expect(largest.map(({ row: { model }, byDay }) => [model, byDay[0]?.requests])).toEqual([
      ['a', 50],
      ['b', 217_247],
    ])
  })
})
