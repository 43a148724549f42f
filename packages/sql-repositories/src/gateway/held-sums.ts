import { type AccountId, latestPlausibleTime, noReservations, type ReservedSums } from '@trivium/gateway-core/ports'
import { type Kysely, sql } from 'kysely'
import type { GatewayTables } from './gateway-tables.ts'

/** The sums of the reservations of an account. */
export interface HeldSums extends ReservedSums {
  /** The earliest expiry. */
  readonly oldest: number
}

/** The sums of an account without reservations. */
export const noSums: HeldSums = { ...noReservations, oldest: Number.POSITIVE_INFINITY }

/** Sums the reservations of accounts. Those without reservations are absent. */
export async function heldSums(
  executor: Kysely<GatewayTables>,
  ids: readonly AccountId[],
  now: Date,
): Promise<ReadonlyMap<AccountId, HeldSums>> {
  const counts = sql`expires_at > ${now.getTime()} and made_at <= ${latestPlausibleTime(now).getTime()}`
  const rows = await executor
    .selectFrom('gateway_holds')
    .select((is) => [
      'key_id',
      sql<number | string>`sum(case when ${counts} then tokens else 0 end)`.as('tokens'),
      sql<number | string>`sum(case when ${counts} then 1 else 0 end)`.as('running'),
      sql<number | string>`sum(cost)`.as('cost'),
      is.fn.min('expires_at').as('oldest'),
    ])
    .where('key_id', 'in', [...ids])
    .groupBy('key_id')
    .execute()
  return new Map(
    rows.map(({ key_id, tokens, running, cost, oldest }) => [
      key_id as AccountId, // stored as the gateway created it
      {
        tokens: Number(tokens),
        running: Number(running),
        // A sum beyond the largest amount is above each limit too.
        cost: Math.min(Number(cost), Number.MAX_SAFE_INTEGER) as ReservedSums['cost'],
        oldest: Number(oldest),
      },
    ]),
  )
}
