import type { AccountId, RateLimiter } from '@trivium/gateway-core/ports'
import { sql } from 'kysely'
import type { Database } from '../database.ts'
import { firstBlock, shortenRing, stateOf } from './admission-blocks.ts'
import { admissionQueries } from './admission-query.ts'
import { encodeTime, shiftOf, sizeOf, TIME_WIDTH } from './admission-ring.ts'
import { admission } from './admission-statement.ts'
import type { GatewayTables, RateLimitRow } from './gateway-tables.ts'

/** How admissions are stored. */
export interface SqlRateLimiterOptions {
  /** Number of admissions of a key in one row of `gateway_rate_blocks`, where its limit is larger. @default 128 */
  readonly blockSize?: number
}

/**
 * Rate limits, exact across all processes that use the database. An admission is one `update` whose condition is the
 * limit, so the database itself orders simultaneous ones. A refusal writes only where a clock is late. The cost of an
 * admission does not grow with the limit: a key's row has its last admissions, and blocks that never change have the
 * older ones of a large limit.
 */
export function sqlRateLimiter(database: Database, { blockSize = 128 }: SqlRateLimiterOptions = {}): RateLimiter {
  const kysely = database.kysely.$extendTables<GatewayTables>()
  const { dialect } = database
  const queryOf = admissionQueries(kysely, dialect)
  const blocks = { kysely, firstBlockOf: firstBlock(kysely) }

  const find = (accountId: AccountId) =>
    kysely.selectFrom('gateway_rate_limits').selectAll().where('key_id', '=', accountId).executeTakeFirst()

  /** @returns the row after this admission, or `undefined` when the limit refuses it or the key has no row yet */
  const admit = async (accountId: AccountId, limit: number, now: number): Promise<RateLimitRow | undefined> => {
    if (dialect.name !== 'mysql') return (await kysely.executeQuery(queryOf(accountId, limit, now))).rows[0]
    const { oldest, ring, shiftAfter, allowed } = admission(dialect, limit, encodeTime(now))
    // Without `returning`, the number of this admission shows how many later ones to leave out of the row that is read.
    const { insertId } = await sql`
      update ${sql.table('gateway_rate_limits')}
      set oldest = ${oldest}, ring = ${ring}, shift = ${shiftAfter}, admissions = last_insert_id(admissions + 1)
      where key_id = ${accountId} and ${allowed}
    `.execute(kysely)
    const row = insertId === undefined ? undefined : await find(accountId)
    if (row === undefined) return undefined
    const later = row.admissions - Number(insertId)
    return {
      ...row,
      admissions: Number(insertId),
      ring: row.ring.slice(0, Math.max(0, row.ring.length - later * TIME_WIDTH)),
    }
  }

  /** Inserts the row of a key. @returns the row, or `undefined` where it already exists */
  const insertFirst = async (accountId: AccountId, now: number): Promise<RateLimitRow | undefined> => {
    const row: RateLimitRow = { key_id: accountId, ring: encodeTime(now), admissions: 1, oldest: 0, shift: 0 }
    return (await dialect.insertIfAbsent(kysely.insertInto('gateway_rate_limits').values(row))) ? row : undefined
  }

  /** Stores the shift with the first refusal, so that the limit advances on a late clock too. */
  const storeShift = async (row: RateLimitRow, now: number): Promise<void> => {
    const shift = shiftOf(row, now)
    if (shift <= row.shift) return
    await kysely
      .updateTable('gateway_rate_limits')
      .set({ shift })
      .where('key_id', '=', row.key_id)
      .where('admissions', '=', row.admissions)
      .where('shift', '<', shift)
      .execute()
  }

  return {
    admit: async (accountId, limit, now) => {
      const time = now.getTime()
      for (;;) {
        let row = await admit(accountId, limit, time)
        if (row === undefined) {
          const found = await find(accountId)
          if (found !== undefined) {
            const state = await stateOf(blocks, accountId, found, limit, time)
            if (state.remaining === 0) {
              await storeShift(found, time)
              return { admitted: false, ...state }
            }
            // Otherwise the row, or one of its blocks, did not exist yet when the limit was checked.
            continue
          }
          row = await insertFirst(accountId, time)
        }
        if (row === undefined) continue
        const state = await stateOf(blocks, accountId, row, limit, time)
        // A failure only leaves the ring long. The admission is stored.
        if (sizeOf(row.ring) >= 2 * blockSize)
          await shortenRing({ kysely, dialect }, accountId, blockSize).catch(() => {})
        return { admitted: true, ...state }
      }
    },

    inspect: async (accountId, limit, now) => {
      const none: RateLimitRow = { key_id: accountId, ring: '', admissions: 0, oldest: 0, shift: 0 }
      return stateOf(blocks, accountId, (await find(accountId)) ?? none, limit, now.getTime())
    },
  }
}
