import { ok } from 'neverthrow'
import { describe, expect, it, vi } from 'vitest'
import type { Account } from '../accounts/account.ts'
import type { AccountId } from '../accounts/account-id.ts'
import type { Budget } from '../accounts/limits.ts'
import type { GatewayCall } from '../caller.ts'
import { memoryBudgets } from '../memory/memory-budgets.ts'
import { memoryUsage } from '../memory/memory-usage.ts'
import type { Nanodollars } from '../money/dollars.ts'
import { wholeDetail } from '../usage/usage-detail.ts'
import type { UsageId, UsageRecord } from '../usage/usage-record.ts'
import type { BudgetRepository } from './budget-repository.ts'
import { type BudgetRequest, createBudgets } from './budgets.ts'
import { createRecovery } from './recovery.ts'

const start = Date.UTC(2026, 0, 2, 12)
const dollars = (billionths: number) => billionths as Nanodollars // whole numbers here

const account = (id: string, budget: Budget): Account => ({ id: id as AccountId, budget }) // ids are opaque here

const aRecord = (id: string): UsageRecord => ({
  id: id as UsageId,
  at: new Date(start),
  operation: 'chat',
  model: 'm',
  streamed: false,
  inputTokens: 1,
  outputTokens: 2,
  ...wholeDetail({}, 0, 0),
  estimated: false,
  partial: false,
  status: 200,
  latencyMs: 3,
  images: 0,
})

function open({
  repository = memoryBudgets(),
  waitSeconds = 0,
}: {
  repository?: BudgetRepository
  waitSeconds?: number
} = {}) {
  const records: UsageRecord[] = []
  const faults: unknown[] = []
  const refused: unknown[] = []
  const clock = { time: start }
  let ids = 0
  const budgets = createBudgets(
    { waitSeconds },
    {
      repository,
      onStoreFailure: 'refuse',
      now: () => new Date(clock.time),
      newId: () => {
        ids += 1
        return `hold-${ids}`
      },
      record: (record) => records.push(record),
      onRefused: (_, error) => refused.push(error.type),
      onFault: (fault) => faults.push(fault),
    },
  )
  const request = (accounts: readonly Account[], cost: number, more: Partial<BudgetRequest> = {}): BudgetRequest => ({
    accounts,
    most: (left) => (left === undefined ? ok({ tokens: 1, cost: dollars(cost) }) : undefined),
    lastsMs: 1_000,
    call: { requestId: 'r', caller: { type: 'admin' }, signal: new AbortController().signal },
    ...more,
  })
  return { budgets, repository, records, faults, refused, clock, request }
}

describe('budgets', () => {
  it('reserve nothing and store the record immediately where no account has a limit', async () => {
    const { budgets, records, request } = open()
    const most = vi.fn()
    const hold = (await budgets.reserve(request([account('a', {})], 1, { most })))._unsafeUnwrap()
    hold.settle({ tokens: 1, cost: dollars(1) }, aRecord('one'))
    expect(records).toHaveLength(1)
    expect(most).not.toHaveBeenCalled()
  })

  it('refuse with what is left, and name the account that refused', async () => {
    const { budgets, refused, request } = open()
    const accounts = [account('a', {}), account('team:b', { spend: { most: dollars(100), period: 'month' } })]
    const first = (await budgets.reserve(request(accounts, 70)))._unsafeUnwrap()
    expect((await budgets.reserve(request(accounts, 31)))._unsafeUnwrapErr()).toEqual({
      type: 'spend-exceeded',
      holder: 'team',
      period: 'month',
      limit: 100,
      left: 30,
      cost: 31,
      retryAfterSeconds: 29 * 86_400 + 43_200,
      resetsAt: expect.any(Date),
    })
    expect(refused).toEqual(['spend-exceeded'])
    first.settle({ tokens: 1, cost: dollars(60) })
    await budgets.flush()
    expect((await budgets.reserve(request(accounts, 40))).isOk()).toBe(true)
  })

  it('refuse what no period can fit, without asking the store', async () => {
    const repository = memoryBudgets()
    const reserve = vi.spyOn(repository, 'reserve')
    const { budgets, request } = open({ repository })
    const accounts = [account('a', { spend: { most: dollars(100), period: 'total' } })]
    expect((await budgets.reserve(request(accounts, 101)))._unsafeUnwrapErr()).toMatchObject({
      type: 'cost-exceeds-limit',
      limit: 100,
      cost: 101,
    })
    expect(reserve).not.toHaveBeenCalled()
  })

  it('reserve less money where the request can use less', async () => {
    const { budgets, repository, request } = open()
    const accounts = [account('a', { spend: { most: dollars(100), period: 'total' } })]
    ;(await budgets.reserve(request(accounts, 70)))._unsafeUnwrap()
    const lefts: unknown[] = []
    const most: BudgetRequest['most'] = (left) => {
      lefts.push(left)
      return ok({ tokens: 1, cost: dollars(left === undefined ? 500 : Math.floor(left / 2)) })
    }
    expect((await budgets.reserve(request(accounts, 0, { most }))).isOk()).toBe(true)
    // First the whole limit, then what is left of it.
    expect(lefts).toEqual([undefined, 100, 30])
    expect((await repository.inspect('a' as AccountId, new Date(start))).reservedCost).toBe(85)
  })

  it('let a request wait for another one of its account, in order', async () => {
    const { budgets, request } = open({ waitSeconds: 60 })
    const accounts = [account('a', { parallel: 1 })]
    const first = (await budgets.reserve(request(accounts, 0)))._unsafeUnwrap()
    const order: number[] = []
    const waiting = [1, 2].map(async (index) => {
      const hold = (await budgets.reserve(request(accounts, 0)))._unsafeUnwrap()
      order.push(index)
      hold.settle({ tokens: 0, cost: dollars(0) })
    })
    first.settle({ tokens: 0, cost: dollars(0) })
    await Promise.all(waiting)
    expect(order.sort()).toEqual([1, 2])
  })

  it('end the wait of a client that disconnects', async () => {
    const { budgets, request } = open({ waitSeconds: 60 })
    const accounts = [account('a', { parallel: 1 })]
    ;(await budgets.reserve(request(accounts, 0)))._unsafeUnwrap()
    const client = new AbortController()
    const call: GatewayCall = { requestId: 'r', caller: { type: 'admin' }, signal: client.signal }
    const waiting = budgets.reserve(request(accounts, 0, { call }))
    client.abort()
    expect((await waiting)._unsafeUnwrapErr()).toEqual({ type: 'parallel-exceeded', holder: 'key', limit: 1 })
  })

  it('refuse while the store fails', async () => {
    const failing = { ...memoryBudgets(), reserve: () => Promise.reject(new Error('down')) }
    const { budgets, faults, request } = open({ repository: failing })
    const refused = await budgets.reserve(request([account('a', { parallel: 1 })], 0))
    expect(refused._unsafeUnwrapErr()).toEqual({ type: 'limits-unavailable' })
    expect(faults).toHaveLength(1)
  })

  it('renew the reservations of answers that last long', async () => {
    vi.useFakeTimers()
    try {
      const { budgets, repository, clock, request } = open()
      const hold = (await budgets.reserve(request([account('a', { parallel: 1 })], 0)))._unsafeUnwrap()
      for (let minute = 1; minute <= 30; minute += 1) {
        clock.time = start + minute * 60_000
        await vi.advanceTimersByTimeAsync(60_000)
        expect((await repository.inspect('a' as AccountId, new Date(clock.time))).running).toBe(1)
      }
      hold.settle({ tokens: 0, cost: dollars(0) })
      await budgets.flush()
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('records of requests with a limit of money', () => {
  const accounts = [account('a', { spend: { most: dollars(1_000), period: 'total' } })]
  const spent = async (repository: BudgetRepository) =>
    (await repository.inspect('a' as AccountId, new Date(start))).spent.total

  it('reach the store by the recovery where their process exits after the settlement', async () => {
    const { budgets, repository, records, clock, request } = open()
    const hold = (await budgets.reserve(request(accounts, 70, { record: () => aRecord('one') })))._unsafeUnwrap()
    hold.settle({ tokens: 3, cost: dollars(44) }, { ...aRecord('one'), cost: dollars(44) })
    await budgets.flush()
    expect(records).toHaveLength(1)
    const usage = memoryUsage()
    const append = vi.spyOn(usage, 'append')
    const recovery = createRecovery({
      budgets: repository,
      usage,
      now: () => new Date(clock.time),
      onRecovered: () => undefined,
      onFault: () => undefined,
    })
    await recovery.recover()
    expect(append).not.toHaveBeenCalled()
    clock.time += 61_000
    await recovery.recover()
    expect(append).toHaveBeenCalledWith([{ ...aRecord('one'), cost: dollars(44) }])
    await recovery.recover()
    expect(append).toHaveBeenCalledTimes(1)
    expect(await spent(repository)).toBe(44)
  })

  it('need no receipt once they are stored', async () => {
    const { budgets, repository, records, request } = open()
    const hold = (await budgets.reserve(request(accounts, 70, { record: () => aRecord('one') })))._unsafeUnwrap()
    hold.settle({ tokens: 3, cost: dollars(44) }, aRecord('one'))
    await budgets.flush()
    const later = new Date(start + 3_600_000)
    expect((await repository.unfinished(later, 10)).receipts).toHaveLength(1)
    await budgets.written(records)
    expect((await repository.unfinished(later, 10)).receipts).toEqual([])
  })

  it('get the most cost from the recovery where their process exits before the settlement', async () => {
    const { budgets, repository, records, clock, request } = open()
    const unsettled = { ...aRecord('one'), status: 500, partial: true }
    const hold = (await budgets.reserve(request(accounts, 70, { record: () => unsettled })))._unsafeUnwrap()
    const stored: UsageRecord[] = []
    const recovered: number[] = []
    const recovery = createRecovery({
      budgets: repository,
      usage: { append: async (batch) => void stored.push(...batch) },
      now: () => new Date(clock.time),
      onRecovered: (count) => recovered.push(count),
      onFault: () => undefined,
    })
    clock.time += 122_000
    await recovery.recover()
    expect(await spent(repository)).toBe(70)
    clock.time += 61_000
    await recovery.recover()
    expect(stored).toEqual([{ ...unsettled, at: new Date(start + 122_000), cost: 70 }])
    expect(recovered).toEqual([1])
    // The process had only paused: the record that was made for it counts.
    hold.settle({ tokens: 3, cost: dollars(44) }, aRecord('one'))
    await budgets.flush()
    expect([await spent(repository), records.length]).toEqual([70, 0])
  })
})
