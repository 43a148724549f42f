import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import type { GatewayTables, UsageRow, UsageSumRow } from './gateway-tables.ts'
import { rowWriter } from './row-writer.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

/** Spans from the shortest to the longest. Each is a multiple of the one before. */
export const spans = [HOUR_MS, DAY_MS]
const SUMS_PER_STATEMENT = 1_000
const keyColumns = ['span', 'start', 'group_hash'] as const
const countColumns = [
  'requests',
  'failures',
  'partial',
  'input_tokens',
  'output_tokens',
  'images',
  'cached_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'audio_tokens',
  'searches',
  'cost',
] as const

/** The members of records that sums have, too. */
export const memberColumns = [
  'key_id',
  'person_id',
  'team_id',
  'tag_set',
  'model',
  'provider',
  'upstream_model',
  'status',
  'operation',
] as const

export type UsageCounts = Pick<UsageSumRow, (typeof countColumns)[number]>
type Used = Pick<UsageRow, 'at' | 'day' | (typeof memberColumns)[number]> & { readonly counts: UsageCounts }

export const countsOf = (row: UsageRow): UsageCounts => ({
  requests: 1,
  failures: row.status >= 400 ? 1 : 0,
  partial: row.partial,
  input_tokens: row.input_tokens,
  output_tokens: row.output_tokens,
  images: row.images,
  cached_tokens: row.cached_tokens,
  cache_write_tokens: row.cache_write_tokens,
  reasoning_tokens: row.reasoning_tokens,
  audio_tokens: row.audio_input_tokens + row.audio_output_tokens,
  searches: row.searches,
  cost: row.cost ?? 0,
})

/** Writes sums to a database. */
export type SumWriter = (transaction: Kysely<GatewayTables>, rows: readonly UsageSumRow[]) => Promise<void>

export const sumWriter = (kysely: Kysely<GatewayTables>, dialect: Dialect): SumWriter =>
  rowWriter({
    kysely,
    dialect,
    rowsPerStatement: SUMS_PER_STATEMENT,
    build: (executor, rows: readonly UsageSumRow[]) =>
      dialect.addUp(executor.insertInto('gateway_usage_sums').values(rows), {
        table: 'gateway_usage_sums',
        key: keyColumns,
        columns: countColumns,
      }),
  })

/** Returns what is added to the sums of every hour and day, in one order of all writers, which prevents deadlocks. */
export function sumsOf(used: readonly Used[], direction: 1 | -1): readonly UsageSumRow[] {
  const sums = new Map<string, UsageSumRow>()
  const hashes = new Map<string, string>()
  for (const { at, day, counts, ...row } of used) {
    const group = JSON.stringify(memberColumns.map((name) => row[name]))
    for (const span of spans) {
      const start = at - (at % span)
      const id = `${span}/${start}/${group}`
      let sum = sums.get(id)
      if (sum === undefined) {
        const group_hash = hashes.get(group) ?? groupHash(group)
        hashes.set(group, group_hash)
        sum = { span, start, group_hash, ...membersOf(row), day, ...noUsage }
        sums.set(id, sum)
      }
      for (const name of countColumns) sum[name] += direction * counts[name]
    }
  }
  return [...sums.values()].sort(inOrder)
}

const noUsage: UsageCounts = {
  requests: 0,
  failures: 0,
  partial: 0,
  input_tokens: 0,
  output_tokens: 0,
  images: 0,
  cached_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
  audio_tokens: 0,
  searches: 0,
  cost: 0,
}

const membersOf = (row: Pick<UsageRow, (typeof memberColumns)[number]>) => ({
  key_id: row.key_id,
  person_id: row.person_id,
  team_id: row.team_id,
  tag_set: row.tag_set,
  model: row.model,
  provider: row.provider,
  upstream_model: row.upstream_model,
  status: row.status,
  operation: row.operation,
})

/** A digest, since names of models are too long for an index. */
const groupHash = (group: string): string => createHash('sha256').update(group).digest('base64url')

const inOrder = (one: UsageSumRow, other: UsageSumRow): number =>
  one.span - other.span || one.start - other.start || (one.group_hash < other.group_hash ? -1 : 1)
