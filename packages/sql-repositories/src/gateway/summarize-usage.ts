import type { UsageGrouping, UsageQuery, UsageSummary, UsageTop } from '@trivium/gateway-core/ports'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { GatewayTables } from './gateway-tables.ts'
import { type UsagePiece, usagePieces } from './usage-pieces.ts'
import { type SummaryRow, toSummary } from './usage-summary.ts'
import { HOUR_MS, spans } from './usage-sums.ts'

type Columns = readonly (readonly [name: string, value: RawBuilder<unknown>])[]

/** The columns by which summaries are grouped, in their order. Each is a text or a whole number, and never null. */
const groups: readonly (readonly [UsageGrouping, Readonly<Record<string, RawBuilder<unknown>>>])[] = [
  ['key', { key_id: sql`used.key_id` }],
  [
    'user',
    {
      host_user: sql`case when substr(used.key_id, 1, 5) = 'user:' then used.key_id else '' end`,
      person_id: sql`coalesce(used.person_id, '')`,
    },
  ],
  ['team', { team_id: sql`coalesce(used.team_id, '')` }],
  ['tag', { tag: sql`coalesce(tags.tag, '')` }],
  ['model', { model: sql`used.model` }],
  ['provider', { provider: sql`coalesce(used.provider, '')` }],
  ['upstreamModel', { upstream_model: sql`coalesce(used.upstream_model, '')` }],
  ['status', { status: sql`used.status` }],
  ['operation', { operation: sql`used.operation` }],
  ['endUser', { end_user: sql`coalesce(used.end_user, '')` }],
  ['hour', { hour: sql`used.hour` }],
  ['day', { day: sql`used.day` }],
  ['month', { month: sql`substr(used.day, 1, 7)` }],
]

const counts = [
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
] as const

/** Returns the columns of the groupings of a query. */
export const groupColumns = (groupBy: readonly UsageGrouping[]): Columns =>
  groups.filter(([name]) => groupBy.includes(name)).flatMap(([, named]) => Object.entries(named))

/** Sums the counts of a piece. */
export const sumsOfCounts = sql.join(counts.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))

/** A sum may be more than a number holds, so its billions come apart. */
export const shownCost = sql`(sum(cost) - sum(cost) % 1000000000) / 1000000000 as cost_billions, sum(cost) % 1000000000 as cost_rest`

const sizes: Readonly<Record<UsageTop['order'], RawBuilder<unknown>>> = {
  cost: sql`cost`,
  requests: sql`requests`,
  tokens: sql`input_tokens + output_tokens`,
}

/**
 * Adds up the sums of whole days and hours, and the records at the ends. All is done by the database, in one statement:
 * servers of databases do not block the event loop.
 */
export async function summarizeUsage(
  kysely: Kysely<GatewayTables>,
  query: UsageQuery,
): Promise<readonly UsageSummary[]> {
  const { groupBy, top, limit } = query
  const pieces = piecesOf(query)
  if (pieces.length === 0) return []
  const columns = groupColumns(groupBy)
  const names = columns.map(([name]) => sql.ref(name))
  const all = sql`(${sql.join(
    pieces.map((piece) => usedIn(piece, query)),
    sql` union all `,
  )}) as used`
  const used = groupBy.includes('tag')
    ? sql`(${sumsOfSets(all, groupBy)}) as used left join ${sql.table('gateway_usage_tags')} as tags on tags.tag_set = used.tag_set`
    : all
  const grouped = (sums: RawBuilder<unknown>) => sql`
    select ${sql.join([...columns.map(([name, value]) => sql`${value} as ${sql.ref(name)}`), sums])} from ${used}
    ${columns.length === 0 ? sql`` : sql`group by ${sql.join(columns.map(([, value]) => value))}`} having sum(requests) > 0`
  const order = names.length === 0 ? sql`` : sql`order by ${sql.join(names)}`
  const statement = top
    ? largest(grouped(sql`${sumsOfCounts}, sum(cost) as cost`), names, top)
    : sql<SummaryRow>`${grouped(sql`${sumsOfCounts}, ${shownCost}`)} ${order} limit ${limit}`
  const { rows } = await statement.execute(kysely)
  return rows.map(toSummary)
}

/** Sums by sets of tags first, so that each sum and not each record is joined with its tags. */
function sumsOfSets(all: RawBuilder<unknown>, groupBy: readonly UsageGrouping[]): RawBuilder<unknown> {
  const columns = sql.join(columnsOf(groupBy).map((name) => sql.ref(`used.${name}`)))
  return sql`select ${columns}, ${sumsOfCounts}, sum(cost) as cost from ${all} group by ${columns}`
}

/** Numbers the groups by size, and sums those after the largest as place 0. */
function largest(
  grouped: RawBuilder<unknown>,
  names: readonly RawBuilder<unknown>[],
  { count, order }: UsageTop,
): RawBuilder<SummaryRow> {
  const values = names.map((name) => sql`min(${name}) as ${name},`)
  return sql<SummaryRow>`
    select place, ${sql.join(values, sql` `)} ${sumsOfCounts}, ${shownCost}
    from (
      select sized.*, case when number <= ${count} then number else 0 end as place
      from (
        select one.*, row_number() over (order by ${sql.join([sql`${sizes[order]} desc`, ...names])}) as number
        from (${grouped}) as one
      ) as sized
    ) as placed
    group by place order by case when place = 0 then 1 else 0 end, place`
}

/** The columns of records and sums that each grouping reads. Further ones would take time. */
const read: Readonly<Record<UsageGrouping, readonly string[]>> = {
  key: ['key_id'],
  user: ['key_id', 'person_id'],
  team: ['team_id'],
  tag: ['tag_set'],
  model: ['model'],
  provider: ['provider'],
  upstreamModel: ['upstream_model'],
  status: ['status'],
  operation: ['operation'],
  endUser: [],
  hour: [],
  day: ['day'],
  month: ['day'],
}

/** The columns of pieces by which a query is grouped. */
const columnsOf = (groupBy: readonly UsageGrouping[]): readonly string[] => [
  ...new Set(groupBy.flatMap((grouping) => read[grouping])),
  ...(groupBy.includes('hour') ? ['hour'] : []),
  ...(groupBy.includes('endUser') ? ['end_user'] : []),
]

/** Hours need sums of hours, and end users are in records only. */
export function piecesOf({ from, to, groupBy, endUser }: UsageQuery): readonly UsagePiece[] {
  if (groupBy.includes('endUser') || endUser !== undefined) return usagePieces(from.getTime(), to.getTime(), [])
  return usagePieces(from.getTime(), to.getTime(), groupBy.includes('hour') ? [HOUR_MS] : spans)
}

/** @param within restricts a piece further. @default the whole piece */
export function usedIn({ from, to, span }: UsagePiece, query: UsageQuery, within = sql``): RawBuilder<unknown> {
  const { groupBy } = query
  const isRecord = span === undefined
  const columns = [...new Set(groupBy.flatMap((grouping) => read[grouping])), ...sameCounts].map((name) =>
    sql.ref(name),
  )
  if (groupBy.includes('hour')) columns.push(isRecord ? sql`at - at % 3600000 as hour` : sql`start as hour`)
  if (groupBy.includes('endUser')) columns.push(sql`end_user`)
  if (isRecord) {
    return sql`
      select ${sql.join(columns)}, 1 as requests, case when status >= 400 then 1 else 0 end as failures,
        audio_input_tokens + audio_output_tokens as audio_tokens, coalesce(cost, 0) as cost
      from ${sql.table('gateway_usage')} where at >= ${from} and at < ${to} ${within} ${filterOf(query)}`
  }
  return sql`
    select ${sql.join(columns)}, requests, failures, audio_tokens, cost
    from ${sql.table('gateway_usage_sums')} where span = ${span} and start >= ${from} and start < ${to} ${within} ${filterOf(query)}`
}

/** The counts that records and sums have under the same names. */
const sameCounts = [
  'partial',
  'input_tokens',
  'output_tokens',
  'images',
  'cached_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'searches',
] as const

const filters = {
  account: 'key_id',
  personId: 'person_id',
  teamId: 'team_id',
  model: 'model',
  provider: 'provider',
  upstreamModel: 'upstream_model',
  status: 'status',
  operation: 'operation',
  endUser: 'end_user',
} as const

function filterOf(query: UsageQuery): RawBuilder<unknown> {
  const { tag } = query
  const conditions: RawBuilder<unknown>[] = []
  for (const [name, column] of Object.entries(filters)) {
    const value = query[name as keyof typeof filters] // the names of the table
    if (value !== undefined) conditions.push(sql`and ${sql.ref(column)} = ${value}`)
  }
  if (tag !== undefined) {
    conditions.push(sql`and tag_set in (select tag_set from ${sql.table('gateway_usage_tags')} where tag = ${tag})`)
  }
  return sql.join(conditions, sql` `)
}
