import { CLOCK_SKEW_MS, RATE_WINDOW_MS } from '@trivium/gateway-core/ports'
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import { TIME_WIDTH } from './admission-ring.ts'

const width = sql.lit(TIME_WIDTH)

/**
 * One admission as parts of an `update gateway_rate_limits`, computed from the locked row. Assign them in this order,
 * since in MySQL an assignment reads the results of those before it.
 */
export interface Admission {
  readonly oldest: RawBuilder<number>
  readonly ring: RawBuilder<string>
  /** Computed from the ring before the assignment. */
  readonly shift: RawBuilder<number>
  /** The shift, computed from the ring after its assignment. */
  readonly shiftAfter: RawBuilder<number>
  /** Whether the `limit`-th last admission is old enough or does not exist. */
  readonly allowed: RawBuilder<boolean>
}

/** Builds the SQL of one admission. @param now encoded as in a ring */
export function admission(dialect: Dialect, limit: number, now: string): Admission {
  const last = sql<string>`substr(ring, length(ring) - ${sql.lit(TIME_WIDTH - 1)})`
  const lateBy = sql<number>`(${dialect.toInteger(last)} - ${dialect.toInteger(sql`${now}`)})`
  const isLate = sql<boolean>`${lateBy} > ${sql.lit(CLOCK_SKEW_MS)}`
  const shift = sql<number>`case when ${isLate} then ${dialect.greatest(sql<number>`shift`, lateBy)} else 0 end`
  const shifted = sql<number>`(${dialect.toInteger(sql`${now}`)} + ${shift})`
  const expired = (entry: RawBuilder<string>) =>
    sql<boolean>`${dialect.toInteger(entry)} <=
      ${dialect.greatest(dialect.toInteger(last), shifted)} - ${sql.lit(RATE_WINDOW_MS)}`
  // Where no admission counts, the ring begins again on the clock of the request.
  const time = sql<string>`case
    when ${expired(last)} then ${now}
    when ${isLate} then ${dialect.padded(shifted, TIME_WIDTH)}
    else ${dialect.greatest<string>(last, sql`${now}`)} end`
  const size = limit * TIME_WIDTH
  // The `limit`-th last admission is in the ring, else in a block.
  const inRing = sql<boolean>`length(ring) >= ${size}`
  const fromRing = sql<string>`substr(ring, length(ring) - ${size} + 1, ${width})`
  const inBlock = dialect.slice(sql`times`, sql`(admissions - ${limit} - first) * ${width} + 1`, width)
  const fromBlock = sql<string>`(
    select ${inBlock} from ${sql.table('gateway_rate_blocks')}
    where ${sql.ref('gateway_rate_blocks.key_id')} = ${sql.ref('gateway_rate_limits.key_id')} and first <= admissions - ${limit}
    order by first desc limit 1
  )`
  const kept = sql<string>`case
    when ${expired(last)} then ''
    when ${inRing} then substr(ring, length(ring) - ${size} + ${sql.lit(TIME_WIDTH + 1)})
    else ring end`
  return {
    oldest: sql`case
      when ${expired(last)} then admissions
      when ${inRing} then admissions - ${limit} + 1
      else oldest end`,
    ring: sql`concat(${kept}, ${time})`,
    shift: sql`case when ${expired(last)} then 0 else ${shift} end`,
    shiftAfter: sql`case when ${isLate} then ${lateBy} else 0 end`,
    allowed: sql`(case
      when admissions - ${limit} < oldest then 1
      when ${inRing} then case when ${expired(fromRing)} then 1 else 0 end
      when ${expired(fromBlock)} then 1
      else 0 end) = 1`,
  }
}
