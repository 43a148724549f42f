import type { AccountId } from '@trivium/gateway-core/ports'
import { type CompiledQuery, type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import { encodeTime } from './admission-ring.ts'
import { admission } from './admission-statement.ts'
import type { GatewayTables, RateLimitRow } from './gateway-tables.ts'

/** Placeholders for the parameters of an admission. No key and no time equals these. Query planners parse the time. */
const placeholder = { key: '(key)', time: '-00000000000001' } as const

const LIMITS_KEPT = 100

/**
 * The `update` of an admission that returns the row, for databases with `returning`. It is compiled once for each
 * limit, since compiling takes longer than running it.
 */
export function admissionQueries(
  kysely: Kysely<GatewayTables>,
  dialect: Dialect,
): (accountId: AccountId, limit: number, now: number) => CompiledQuery<RateLimitRow> {
  const queries = new Map<number, CompiledQuery<RateLimitRow>>()

  const queryOf = (limit: number): CompiledQuery<RateLimitRow> => {
    const known = queries.get(limit)
    if (known !== undefined) return known
    const { oldest, ring, shift, allowed } = admission(dialect, limit, placeholder.time)
    const query = sql<RateLimitRow>`
      update ${sql.table('gateway_rate_limits')} set oldest = ${oldest}, ring = ${ring}, shift = ${shift}, admissions = admissions + 1
      where key_id = ${placeholder.key} and ${allowed} returning *
    `.compile(kysely)
    if (queries.size >= LIMITS_KEPT) queries.clear()
    queries.set(limit, query)
    return query
  }

  return (accountId, limit, now) => {
    const query = queryOf(limit)
    const time = encodeTime(now)
    const fill = (value: unknown) => (value === placeholder.time ? time : value === placeholder.key ? accountId : value)
    return { ...query, parameters: query.parameters.map(fill) }
  }
}
