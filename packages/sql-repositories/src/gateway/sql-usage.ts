import { setImmediate } from 'node:timers/promises'
import { type AccountId, accountOwner, type UsageRepository, type UsageSummary } from '@trivium/gateway-core/ports'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'
import type { GatewayTables, UsageRow } from './gateway-tables.ts'
import { type UsagePiece, usagePieces } from './usage-pieces.ts'
import { toRow } from './usage-row.ts'
import { changeSums, countsOf, spans } from './usage-sums.ts'

/** SQLite accepts 32766 values in a statement, and a record has 16. */
const RECORDS_PER_STATEMENT = 1_000
const REMOVED_PER_TRANSACTION = 2_000

const columnOf = { key: 'key_id', model: 'model', day: 'day' } as const

/**
 * Stores usage records and, in the same transaction, the sums of each hour and day, so that a summary of a month adds
 * up sums instead of records.
 */
export function sqlUsage(database: Database): UsageRepository {
  const kysely = database.kysely.$extendTables<GatewayTables>()
  const { dialect } = database

  const addToSums = (transaction: Kysely<GatewayTables>, rows: readonly UsageRow[], direction: 1 | -1) =>
    changeSums(
      transaction,
      dialect,
      rows.map((row) => ({ ...row, counts: countsOf(row) })),
      direction,
    )

  const appendNew = (rows: readonly UsageRow[]) =>
    transact({ kysely, dialect }, async (transaction) => {
      for (let start = 0; start < rows.length; start += RECORDS_PER_STATEMENT) {
        await transaction
          .insertInto('gateway_usage')
          .values(rows.slice(start, start + RECORDS_PER_STATEMENT))
          .execute()
      }
      await addToSums(transaction, rows, 1)
    })

  /** Inserts one by one, since only new records may be counted. */
  const appendAbsent = (rows: readonly UsageRow[]) =>
    transact({ kysely, dialect }, async (transaction) => {
      const added: UsageRow[] = []
      for (const row of rows) {
        if (await dialect.insertIfAbsent(transaction.insertInto('gateway_usage').values(row))) added.push(row)
      }
      await addToSums(transaction, added, 1)
    })

  /** Removes up to 2000 of the oldest records. @returns the number of removed records */
  const removeOldest = (before: number) =>
    transact({ kysely, dialect }, async (transaction) => {
      const oldest = transaction
        .selectFrom('gateway_usage')
        .selectAll()
        .where('at', '<', before)
        .orderBy('at')
        .limit(REMOVED_PER_TRANSACTION)
      const rows = await dialect.forUpdate(oldest).execute()
      if (rows.length === 0) return 0
      await transaction
        .deleteFrom('gateway_usage')
        .where(
          'id',
          'in',
          rows.map(({ id }) => id),
        )
        .execute()
      await addToSums(transaction, rows, -1)
      return rows.length
    })

  return {
    append: async (records) => {
      const rows = records.map(toRow)
      if (rows.length === 0) return
      try {
        await appendNew(rows)
      } catch (error) {
        if (!dialect.isDuplicate(error)) throw error
        await appendAbsent(rows)
      }
    },

    summarize: async ({ from, to, account, groupBy, limit }) => {
      const pieces = usagePieces(from.getTime(), to.getTime())
      if (pieces.length === 0) return []
      // A fixed order, regardless of the order in `groupBy`.
      const columns = (['key', 'model', 'day'] as const)
        .filter((name) => groupBy.includes(name))
        .map((name) => sql.ref(columnOf[name]))
      const grouping = columns.length === 0 ? undefined : sql.join(columns)
      const { rows } = await sql<SummaryRow>`
        select ${grouping === undefined ? sql`` : sql`${grouping},`} sum(requests) as requests, sum(failures) as failures, sum(partial) as partial,
          sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens, sum(images) as images
        from (${sql.join(
          pieces.map((piece) => usedIn(piece, account)),
          sql` union all `,
        )}) as used
        ${grouping === undefined ? sql`` : sql`group by ${grouping}`} having sum(requests) > 0
        ${grouping === undefined ? sql`` : sql`order by ${grouping}`}
        limit ${limit}
      `.execute(kysely)
      return rows.map(toSummary)
    },

    newestBefore: async (before) => {
      const row = await kysely
        .selectFrom('gateway_usage')
        .select('at')
        .where('at', '<', before.getTime())
        .orderBy('at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && new Date(row.at)
    },

    removeBefore: async (before) => {
      let removed = 0
      for (;;) {
        // In parts, since one long transaction would block writers.
        const count = await removeOldest(before.getTime())
        removed += count
        if (count === 0) break
        // SQLite's calls never yield to the event loop.
        await setImmediate()
      }
      await kysely
        .deleteFrom('gateway_usage_sums')
        .where('span', 'in', spans)
        .where('start', '<', before.getTime())
        .where('requests', '=', 0)
        .execute()
      return removed
    },
  }
}

function usedIn({ from, to, span }: UsagePiece, account: AccountId | undefined): RawBuilder<unknown> {
  const ofAccount = account === undefined ? sql`` : sql`and key_id = ${account}`
  if (span === undefined) {
    return sql`
      select key_id, model, day, 1 as requests, case when status >= 400 then 1 else 0 end as failures, partial,
        input_tokens, output_tokens, images
      from ${sql.table('gateway_usage')} where at >= ${from} and at < ${to} ${ofAccount}`
  }
  return sql`
    select key_id, model, day, requests, failures, partial, input_tokens, output_tokens, images
    from ${sql.table('gateway_usage_sums')} where span = ${span} and start >= ${from} and start < ${to} ${ofAccount}`
}

interface SummaryRow {
  readonly key_id?: string
  readonly model?: string
  readonly day?: string
  readonly requests: number | string
  readonly failures: number | string
  readonly partial: number | string
  readonly input_tokens: number | string
  readonly output_tokens: number | string
  readonly images: number | string
}

function toSummary(row: SummaryRow): UsageSummary {
  return {
    // Empty for requests of the admin.
    ...(row.key_id !== undefined && row.key_id !== '' && accountOwner(row.key_id)),
    ...(row.model !== undefined && { model: row.model }),
    ...(row.day !== undefined && { day: row.day }),
    requests: Number(row.requests),
    failures: Number(row.failures),
    partial: Number(row.partial),
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    images: Number(row.images),
  }
}
