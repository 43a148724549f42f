import { expect, it } from 'vitest'
import type { ApiKeyId } from '../api-keys/api-key.ts'
import { MAX_NANODOLLARS, type Nanodollars } from '../money/dollars.ts'
import { summarizeRecords } from '../usage/summarize-records.ts'
import { usageGroupings, usageOrders } from '../usage/usage-bounds.ts'
import type { UsageRecord } from '../usage/usage-record.ts'
import type { UsageQuery, UsageRepository } from '../usage/usage-repository.ts'
import { type OpenReplicas, openOne } from './replicas.ts'
import { noUsage, queryAll, summariesOf, usageRecord } from './usage-records.ts'

const start = Date.UTC(2026, 0, 30, 22)
const HOUR = 3_600_000

/** Registers the cases of details, costs and groupings of a `UsageRepository`. */
export function detailCases(open: OpenReplicas<UsageRepository>): void {
  it('sums details and costs, exactly beyond what a number holds', async () => {
    const usage = await openOne(open)
    const detail = { cachedTokens: 1, cacheWriteTokens: 2, reasoningTokens: 4, searches: 8 }
    const costs = [MAX_NANODOLLARS, MAX_NANODOLLARS, 1 as Nanodollars] // whole numbers
    for (const [index, cost] of costs.entries()) {
      await usage.append([
        usageRecord(index, { ...detail, audioInputTokens: 16, audioOutputTokens: 32, cost, model: `${index % 2}` }),
      ])
    }
    await usage.append([usageRecord(3)])
    const sums = {
      ...noUsage,
      requests: 4,
      cachedTokens: 3,
      cacheWriteTokens: 6,
      reasoningTokens: 12,
      searches: 24,
      audioTokens: 144,
      cost: 2n * BigInt(MAX_NANODOLLARS) + 1n,
    }
    expect(await summariesOf(usage, queryAll())).toEqual([sums])
    expect(await summariesOf(usage, queryAll({ top: { count: 1, order: 'cost' } }))).toEqual([sums])
  })

  it('groups by users, teams and tags, with a record in each of its tags', async () => {
    const usage = await openOne(open)
    const ofKey = { keyId: 'key-a' as ApiKeyId, personId: 'ada', teamId: 'red' } // ids are opaque here
    await usage.append([
      usageRecord(1, { ...ofKey, tags: ['b', 'a'] }),
      usageRecord(2, { ...ofKey, keyId: 'key-b' as ApiKeyId, tags: ['a'] }), // ids are opaque here
      usageRecord(3, { userId: 'ada', tags: ['a', 'b'] }),
      usageRecord(4),
    ])
    const groupsOf = async (...groupBy: UsageQuery['groupBy']) =>
      (await summariesOf(usage, queryAll({ groupBy }))).map(({ userId, personId, teamId, tag, requests }) =>
        [userId, personId, teamId, tag, requests].map((value) => value ?? '-').join(' '),
      )
    expect(await groupsOf('user')).toEqual(['- - - - 1', '- ada - - 2', 'ada - - - 1'])
    expect(await groupsOf('team')).toEqual(['- - - - 2', '- - red - 2'])
    expect(await groupsOf('tag')).toEqual(['- - - - 1', '- - - a 3', '- - - b 2'])
    expect(await summariesOf(usage, queryAll({ tag: 'b', personId: 'ada' }))).toMatchObject([{ requests: 1 }])
  })

  it('returns the largest groups and the sums of all others', async () => {
    const usage = await openOne(open)
    await usage.append(
      [5, 1, 3, 3].flatMap((requests, model) =>
        Array.from({ length: requests }, (_, index) =>
          usageRecord(model * 10 + index, {
            model: `m${model}`,
            inputTokens: model === 1 ? 50 : 1,
            cost: (model * 7) as Nanodollars, // a whole number
          }),
        ),
      ),
    )
    const top = async (count: number, order: (typeof usageOrders)[number]) =>
      (await summariesOf(usage, queryAll({ groupBy: ['model'], top: { count, order }, limit: 1 }))).map(
        ({ model, isOther, requests, cost }) => [isOther ? 'other' : model, requests, cost],
      )
    expect(await top(2, 'requests')).toEqual([
      ['m0', 5, 0n],
      ['m2', 3, 42n],
      ['other', 4, 70n],
    ])
    expect(await top(1, 'tokens')).toEqual([
      ['m1', 1, 7n],
      ['other', 11, 105n],
    ])
    expect((await top(9, 'cost')).map(([model]) => model)).toEqual(['m3', 'm2', 'm1', 'm0'])
  })

  it('returns the sums of the single records, for any query', async () => {
    const usage = await openOne(open)
    const random = seeded(7)
    const records = Array.from({ length: 150 }, (_, index) => usageRecord(index, randomRecord(random)))
    await usage.append(records)
    for (let run = 0; run < 60; run += 1) {
      const query = randomQuery(random)
      expect(await summariesOf(usage, query), JSON.stringify(query)).toEqual(await summarizeRecords(records, query))
    }
  })

  it('forgets the tags of records that are removed, and keeps those of others', async () => {
    const usage = await openOne(open)
    const late = new Date(start + 72 * HOUR)
    await usage.append([usageRecord(1, { at: new Date(start), tags: ['old', 'both'] })])
    await usage.append([usageRecord(2, { at: late, tags: ['new', 'both'] })])
    await usage.append([usageRecord(3, { at: late, tags: ['both'] })])
    expect(await usage.removeBefore(late)).toBe(1)
    const summaries = await summariesOf(usage, queryAll({ groupBy: ['tag'] }))
    expect(summaries.map(({ tag, requests }) => [tag, requests])).toEqual([
      ['both', 2],
      ['new', 1],
    ])
  })
}

type Random = (below: number) => number

/** A generator of whole numbers, the same ones for a seed. */
function seeded(seed: number): Random {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function oneOf<Value>(random: Random, values: readonly [Value, ...Value[]]): Value {
  return values[random(values.length)] ?? values[0]
}

const timeAt = (minute: number) => new Date(start + minute * 60_000)
const keys = ['key-a' as ApiKeyId, 'key-b' as ApiKeyId] as const // ids are opaque here

function randomRecord(random: Random): Partial<UsageRecord> {
  const tags = ['x', 'y', 'z'].filter(() => random(2) === 0)
  const cost = (random(2 ** 22) * 2 ** 22 + random(2 ** 22)) as Nanodollars // a whole number
  return {
    at: timeAt(random(72 * 60)),
    keyId: oneOf(random, keys),
    personId: oneOf(random, ['ada', 'grace']),
    ...(random(3) > 0 && { teamId: oneOf(random, ['red', 'blue']) }),
    ...(tags.length > 0 && { tags }),
    model: oneOf(random, ['m', 'M', 'ü']),
    upstreamModel: oneOf(random, ['u', 'v']),
    operation: oneOf(random, ['chat', 'embedding']),
    status: oneOf(random, [200, 429, 500]),
    partial: random(2) === 0,
    ...(random(2) === 0 && { endUser: oneOf(random, ['e', 'f']) }),
    inputTokens: random(1_000_000),
    outputTokens: random(1_000_000),
    cachedTokens: random(1_000),
    reasoningTokens: random(1_000),
    audioInputTokens: random(1_000),
    searches: random(3),
    ...(random(4) > 0 && { cost }),
  }
}

function randomQuery(random: Random): UsageQuery {
  return {
    from: timeAt(random(40 * 60)),
    to: timeAt(40 * 60 + 1 + random(33 * 60)),
    groupBy: usageGroupings.filter(() => random(5) === 0),
    limit: 10_000,
    ...(random(2) === 0 && { top: { count: 1 + random(4), order: oneOf(random, usageOrders) } }),
    ...(random(4) === 0 && { account: keys[0] }),
    ...(random(4) === 0 && { teamId: 'red' }),
    ...(random(4) === 0 && { tag: 'x' }),
    ...(random(4) === 0 && { upstreamModel: 'u' }),
    ...(random(4) === 0 && { status: 429 }),
    ...(random(6) === 0 && { endUser: 'e' }),
  }
}
