import { setImmediate } from 'node:timers/promises'
import { Turns, type UsageQuery, type UsageSummary, UsageTotals } from '@trivium/gateway-core/ports'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { GatewayTables } from './gateway-tables.ts'
import { groupColumns, piecesOf, shownCost, sumsOfCounts, usedIn } from './summarize-usage.ts'
import type { UsagePiece } from './usage-pieces.ts'
import { type SummaryRow, toSummary } from './usage-summary.ts'

/** Records or sums that one statement reads. It takes some milliseconds. */
const ROWS = 2_000
/** Single records that a report reads, each of which takes about a microsecond. */
const MAX_RECORDS = 2_000_000
const SETS_PER_STATEMENT = 200
const MAX_KNOWN_SETS = 2_000

interface SetRow extends SummaryRow {
  readonly tag_set?: string | null
}

/**
 * Sums like `summarizeUsage`, with many short statements: those of SQLite block the event loop. What they return is added
 * up here.
 *
 * @param size the records or sums that one statement reads
 */
export async function summarizeInPieces(
  kysely: Kysely<GatewayTables>,
  query: UsageQuery,
  size = ROWS,
): Promise<readonly UsageSummary[] | 'too-large'> {
  const totals = new UsageTotals(query)
  const columns = groupColumns(query.groupBy)
  const hasTags = query.groupBy.includes('tag')
  const selected = [
    ...columns.filter(([name]) => name !== 'tag').map(([name, value]) => sql`${value} as ${sql.ref(name)}`),
    ...(hasTags ? [sql`used.tag_set as tag_set`] : []),
  ]
  const grouped = [
    ...columns.filter(([name]) => name !== 'tag').map(([, value]) => value),
    ...(hasTags ? [sql`used.tag_set`] : []),
  ]
  const statementOf = (piece: RawBuilder<unknown>) => sql<SetRow>`
    select ${sql.join([...selected, sumsOfCounts, shownCost])} from (${piece}) as used
    ${grouped.length === 0 ? sql`` : sql`group by ${sql.join(grouped)}`} having sum(requests) > 0`
  const names = columns.map(([name]) => name)
  const turns = new Turns()
  const tags = new TagSets(kysely)
  let records = 0

  const add = (row: SetRow, tag: string) => {
    const whole: SummaryRow = hasTags ? { ...row, tag } : row
    const summary = toSummary(whole)
    totals.add(
      names.map((name) => String(whole[name as keyof SummaryRow] ?? '')), // the names of its columns
      () => summary,
      summary,
    )
  }

  for (const piece of piecesOf(query)) {
    for await (const part of piece.span === undefined
      ? recordParts(kysely, piece, query, size)
      : sumParts(kysely, piece, query, size)) {
      const { rows } = await statementOf(part).execute(kysely)
      await turns.next()
      if (hasTags) await tags.load(rows.flatMap(({ tag_set }) => tag_set ?? []))
      for (const row of rows) {
        for (const tag of hasTags ? tags.of(row.tag_set) : ['']) {
          add(row, tag)
          if (turns.isDue) await turns.next()
        }
      }
      if (piece.span === undefined) records += size
      if (totals.isTooLarge || records > MAX_RECORDS) return 'too-large'
    }
  }
  return totals.summaries()
}

/** Yields statements that read a piece of single records, each about `size` of them. */
async function* recordParts(
  kysely: Kysely<GatewayTables>,
  { from, to }: UsagePiece,
  query: UsageQuery,
  size: number,
): AsyncGenerator<RawBuilder<unknown>> {
  for (let start = from; start < to; ) {
    let next = kysely.selectFrom('gateway_usage').select('at').where('at', '>=', start).where('at', '<', to)
    if (query.account !== undefined) next = next.where('key_id', '=', query.account)
    const row = await next.orderBy('at').offset(size).limit(1).executeTakeFirst()
    // Records of the same millisecond are one part.
    const end = row ? Math.max(row.at, start + 1) : to
    yield usedIn({ from: start, to: end }, query)
    start = end
  }
}

/** Yields statements that read a piece of sums, each about `size` of them. One hour may have many sums. */
async function* sumParts(
  kysely: Kysely<GatewayTables>,
  { from, to, span = 0 }: UsagePiece,
  query: UsageQuery,
  size: number,
): AsyncGenerator<RawBuilder<unknown>> {
  let [start, hash] = [from, '']
  for (;;) {
    const after = sql<boolean>`(start, group_hash) >= (${start}, ${hash})`
    let next = kysely
      .selectFrom('gateway_usage_sums')
      .select(['start', 'group_hash'])
      .where('span', '=', span)
      .where('start', '<', to)
      .where(after)
    if (query.account !== undefined) next = next.where('key_id', '=', query.account)
    const row = await next.orderBy('start').orderBy('group_hash').offset(size).limit(1).executeTakeFirst()
    const before = row ? sql`and (start, group_hash) < (${row.start}, ${row.group_hash})` : sql``
    yield usedIn({ from: start, to: row ? row.start + 1 : to, span }, query, sql`and ${after} ${before}`)
    if (!row) return
    start = row.start
    hash = row.group_hash
  }
}

/** The tags of sets, as far as they were loaded. */
class TagSets {
  readonly #kysely: Kysely<GatewayTables>
  readonly #sets = new Map<string, string[]>()

  constructor(kysely: Kysely<GatewayTables>) {
    this.#kysely = kysely
  }

  /** A set without tags in the table is that of records without tags. */
  of(set: string | null | undefined): readonly string[] {
    const tags = this.#sets.get(set ?? '') ?? []
    return tags.length === 0 ? [''] : tags
  }

  async load(sets: readonly string[]): Promise<void> {
    if (this.#sets.size > MAX_KNOWN_SETS) this.#sets.clear()
    const unknown = [...new Set(sets)].filter((set) => !this.#sets.has(set))
    for (let first = 0; first < unknown.length; first += SETS_PER_STATEMENT) {
      const some = unknown.slice(first, first + SETS_PER_STATEMENT)
      for (const set of some) this.#sets.set(set, [])
      const rows = await this.#kysely
        .selectFrom('gateway_usage_tags')
        .select(['tag_set', 'tag'])
        .where('tag_set', 'in', some)
        .execute()
      for (const { tag_set, tag } of rows) this.#sets.get(tag_set)?.push(tag)
      // SQLite's calls never yield to the event loop.
      await setImmediate()
    }
  }
}
