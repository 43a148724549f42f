import { type AccountId, RATE_WINDOW_MS, type RateState } from '@trivium/gateway-core/ports'
import type { CompiledQuery, Kysely } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import { transact } from '../transact.ts'
import { firstAfter, shiftOf, sizeOf, TIME_WIDTH, timeAt } from './admission-ring.ts'
import type { GatewayTables, RateBlockRow, RateLimitRow } from './gateway-tables.ts'

type Admissions = Pick<RateLimitRow, 'ring' | 'admissions' | 'oldest' | 'shift'>

/**
 * Finds the first block that has an admission after a time. Compiled once, since compiling takes longer than the query.
 */
export type FirstBlock = (accountId: AccountId, oldest: number, after: number) => CompiledQuery<RateBlockRow>

export function firstBlock(kysely: Kysely<GatewayTables>): FirstBlock {
  // No key and no number of an admission equals these.
  const placeholder = { key: '(key)', oldest: -1, after: -2 } as const
  const query = blocksOf(kysely, placeholder.key as AccountId)
    .where('first', '>=', placeholder.oldest)
    .where('last_time', '>', placeholder.after)
    .orderBy('first')
    .limit(1)
    .compile()
  return (accountId, oldest, after) => {
    const values = new Map<unknown, unknown>([
      [placeholder.key, accountId],
      [placeholder.oldest, oldest],
      [placeholder.after, after],
    ])
    return { ...query, parameters: query.parameters.map((value) => values.get(value) ?? value) }
  }
}

/** Computes the state of a key's limit at a time. Reads blocks only where the limit is larger than the ring. */
export async function stateOf(
  { kysely, firstBlockOf }: { readonly kysely: Kysely<GatewayTables>; readonly firstBlockOf: FirstBlock },
  accountId: AccountId,
  row: Admissions,
  limit: number,
  now: number,
): Promise<RateState> {
  const { ring, admissions, oldest } = row
  const ringStart = admissions - sizeOf(ring)
  const shift = shiftOf(row, now)
  const time = sizeOf(ring) === 0 ? now : Math.max(now + shift, timeAt(ring, sizeOf(ring) - 1))
  const left = time - RATE_WINDOW_MS

  /** The block of the first admission that counts, which is nearly always the next one to be read. */
  let known: RateBlockRow | undefined

  const timeOf = async (index: number): Promise<number> => {
    if (index >= ringStart) return timeAt(ring, index - ringStart)
    const block =
      known !== undefined && index >= known.first && index < known.first + sizeOf(known.times)
        ? known
        : await blocksOf(kysely, accountId)
            .where('first', '<=', index)
            .orderBy('first', 'desc')
            .limit(1)
            .executeTakeFirst()
    return block === undefined ? left : timeAt(block.times, index - block.first)
  }
  const firstCounting = async (): Promise<number> => {
    const inRing = firstAfter(ring, left)
    if (inRing > 0 || oldest >= ringStart) return ringStart + inRing
    known = (await kysely.executeQuery(firstBlockOf(accountId, oldest, left))).rows[0]
    return known === undefined ? ringStart : known.first + firstAfter(known.times, left)
  }

  const counting = Math.min(admissions - (await firstCounting()), limit)
  const resetAt = counting === 0 ? now : (await timeOf(admissions - counting)) + RATE_WINDOW_MS - shift
  return { limit, remaining: limit - counting, resetAt: new Date(resetAt) }
}

/**
 * Moves the oldest `blockSize` admissions of a long ring into a block, and deletes blocks that have left the window.
 */
export async function shortenRing(
  database: { readonly kysely: Kysely<GatewayTables>; readonly dialect: Dialect },
  accountId: AccountId,
  blockSize: number,
): Promise<void> {
  await transact(database, async (transaction) => {
    const row = await database.dialect
      .forUpdate(transaction.selectFrom('gateway_rate_limits').selectAll().where('key_id', '=', accountId))
      .executeTakeFirst()
    if (row === undefined || sizeOf(row.ring) < 2 * blockSize) return
    const times = row.ring.slice(0, blockSize * TIME_WIDTH)
    const block: RateBlockRow = {
      key_id: accountId,
      first: row.admissions - sizeOf(row.ring),
      times,
      last_time: timeAt(times, blockSize - 1),
    }
    await transaction.insertInto('gateway_rate_blocks').values(block).execute()
    await transaction
      .deleteFrom('gateway_rate_blocks')
      .where('key_id', '=', accountId)
      .where((is) =>
        is.or([
          is('last_time', '<=', timeAt(row.ring, sizeOf(row.ring) - 1) - RATE_WINDOW_MS),
          // Blocks from a clock that was ahead.
          is('first', '<=', row.oldest - blockSize),
        ]),
      )
      .execute()
    const left = await blocksOf(transaction, accountId).orderBy('first').limit(1).executeTakeFirst()
    const ringStart = block.first + blockSize
    await transaction
      .updateTable('gateway_rate_limits')
      .set({
        ring: row.ring.slice(blockSize * TIME_WIDTH),
        oldest: Math.max(row.oldest, left === undefined ? ringStart : left.first),
      })
      .where('key_id', '=', accountId)
      .execute()
  })
}

const blocksOf = (executor: Kysely<GatewayTables>, accountId: AccountId) =>
  executor.selectFrom('gateway_rate_blocks').selectAll().where('key_id', '=', accountId)
