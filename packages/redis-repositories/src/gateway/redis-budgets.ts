import type { Nanodollars } from '@trivium/gateway-core'
import {
  type AccountId,
  type Budget,
  type BudgetLimit,
  type BudgetRepository,
  type BudgetState,
  checkBudgetUse,
  EXPIRED_RESERVATION_MS,
  latestPlausibleTime,
  type Reservation,
  type ReservationId,
  windowsOf,
} from '@trivium/gateway-core/ports'
import { inspect, renew, reserve, settle } from './budget-scripts.ts'
import type { RedisHandle } from './open-redis.ts'

/** Where the budgets store their counts. */
export interface RedisBudgetsOptions {
  /** Prefix of their keys in Redis. @default 'trivium:budgets:' */
  readonly prefix?: string
}

/**
 * Budgets, exact across all processes that use the Redis. The reservations and settlements of one turn of the event loop take
 * one round trip together.
 * The counts of money have to survive: use a Redis with `appendonly yes`, `appendfsync always` and a `maxmemory-policy`
 * that removes nothing without an expiry, and not a cluster. A Redis that restarts without its data grants all budgets again.
 *
 * @example
 * ```ts
 * import { openRedis, redisBudgets, redisGatewayRepositories } from '@trivium/redis-repositories/gateway'
 * import { openDatabase } from '@trivium/sql-repositories'
 * import { sqlGatewayRepositories } from '@trivium/sql-repositories/gateway'
 *
 * const redis = await openRedis('redis://127.0.0.1:6379')
 * const database = await openDatabase('postgres://127.0.0.1/gateway')
 * const repositories = {
 *   ...sqlGatewayRepositories(database),
 *   ...redisGatewayRepositories(redis),
 *   budgets: redisBudgets(redis),
 * }
 * ```
 */
export function redisBudgets(
  { client }: RedisHandle,
  { prefix = 'trivium:budgets:' }: RedisBudgetsOptions = {},
): BudgetRepository {
  const run = { reserve: reserve(client), settle: settle(client) }
  const holdKey = (id: ReservationId) => `${prefix}hold:${id}`
  const accountKey = (id: AccountId) => `${prefix}account:${id}`
  const holdsKey = (id: AccountId) => `${prefix}holds:${id}`
  const accountKeys = (ids: readonly AccountId[]) => ids.flatMap((id) => [accountKey(id), holdsKey(id)])
  const expiries = `${prefix}expiries`
  const receiptTimes = `${prefix}receipt-times`
  const receipts = `${prefix}receipts`

  return {
    async reserve({ id, accounts, tokens, cost, expiresAt, receipt = '' }, now) {
      checkBudgetUse({ tokens, cost })
      const ids = accounts.map((account) => account.id)
      const answer = await run.reserve({
        keys: [holdKey(id), expiries, ...accountKeys(ids)],
        values: [
          ...clockValues(now),
          now.getTime() - EXPIRED_RESERVATION_MS,
          id,
          tokens,
          cost,
          expiresAt.getTime(),
          receipt,
          JSON.stringify(ids),
          ...accounts.flatMap(({ budget }) => limitValues(budget)),
        ],
      })
      const [index, limit, state] = answer as [] | [number, BudgetLimit, StateTexts] // what the script returns
      const account = index === undefined ? undefined : ids[index]
      if (account === undefined || limit === undefined || state === undefined) return { granted: true }
      return { granted: false, account, limit, state: stateOf(state) }
    },

    async settle({ id, accounts }, { tokens, cost, receipt = '' }, now) {
      checkBudgetUse({ tokens, cost })
      const keys = [holdKey(id), expiries, receiptTimes, receipts, ...accountKeys(accounts)]
      return (await run.settle({ keys, values: [...clockValues(now), id, tokens, cost, receipt] })) === 1
    },

    async renew(reservations, expiresAt) {
      for (const { id, accounts } of reservations) {
        await renew(client, [expiries, ...accounts.map(holdsKey)], [id, expiresAt.getTime()])
      }
    },

    async confirm(ids) {
      if (ids.length === 0) return
      await client
        .multi()
        .zrem(receiptTimes, ...ids)
        .hdel(receipts, ...ids)
        .exec()
    },

    async unfinished(before, limit) {
      const until = `(${before.getTime()}`
      const lost = await client.zrangebyscore(expiries, '-inf', until, 'LIMIT', 0, limit)
      const holds = await Promise.all(lost.map((id) => client.hgetall(holdKey(id as ReservationId)))) // as it was stored
      const kept = await client.zrangebyscore(receiptTimes, '-inf', until, 'LIMIT', 0, limit)
      const texts = kept.length > 0 ? await client.hmget(receipts, ...kept) : []
      return {
        reservations: holds.flatMap((hold, index) => lostReservation(lost[index], hold)),
        receipts: kept.flatMap((id, index) => {
          const receipt = texts[index]
          // Another replica has confirmed it meanwhile.
          return receipt ? [{ id: id as ReservationId, receipt }] : [] // as it was stored
        }),
      }
    },

    async inspect(accountId, now) {
      const answer = await inspect(client, accountKeys([accountId]), clockValues(now))
      return stateOf(answer as StateTexts) // what the script returns
    },
  }
}

/** Whole numbers with all their digits: the minute, the day, reserved, the spent amounts, the reserved cost, running. */
type StateTexts = readonly [string, string, string, string, string, string, string, string]

function stateOf(texts: StateTexts): BudgetState {
  const [minute, day, reserved, daySpent, monthSpent, totalSpent, reservedCost, running] = texts.map(Number) as [
    number,
    number,
    number,
    Nanodollars,
    Nanodollars,
    Nanodollars,
    Nanodollars,
    number,
  ] // as they were stored
  return {
    minute,
    day,
    reserved,
    spent: { day: daySpent, month: monthSpent, total: totalSpent },
    reservedCost: Math.min(reservedCost, Number.MAX_SAFE_INTEGER) as Nanodollars, // a whole number
    running,
  }
}

/** A hold that another replica has settled meanwhile is empty. */
function lostReservation(id: string | undefined, { tokens, cost, receipt, accounts }: Record<string, string>) {
  if (id === undefined || accounts === undefined || receipt === undefined) return []
  return [
    {
      id: id as ReservationId, // as it was stored
      accounts: JSON.parse(accounts) as AccountId[], // likewise
      tokens: Number(tokens),
      cost: Number(cost) as Reservation['cost'], // likewise
      receipt,
    },
  ]
}

function clockValues(now: Date): readonly number[] {
  const { minute, day, month } = windowsOf(now)
  return [now.getTime(), latestPlausibleTime(now).getTime(), minute, day, month]
}

const limitValues = ({ tokensPerMinute = -1, tokensPerDay = -1, spend, parallel = -1 }: Budget) => [
  tokensPerMinute,
  tokensPerDay,
  spend?.most ?? -1,
  spend?.period ?? 'total',
  parallel,
]
