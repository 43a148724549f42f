import { setImmediate } from 'node:timers/promises'
import type { UsageRecord } from '@trivium/gateway-core'
import type { UsageRepository } from '@trivium/gateway-core/ports'
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'
import type { GatewayTables, UsageRow, UsageTagRow } from './gateway-tables.ts'
import { inTurns } from './in-turns.ts'
import { rowWriter } from './row-writer.ts'
import { summarizeInPieces } from './summarize-in-pieces.ts'
import { summarizeUsage } from './summarize-usage.ts'
import { tagSetOf, toRow } from './usage-row.ts'
import { countsOf, DAY_MS, spans, sumsOf, sumWriter } from './usage-sums.ts'

const RECORDS_PER_STATEMENT = 1_000
const REMOVED_PER_TRANSACTION = 2_000
const REMOVED_PER_TURN = 50
const TAGS_PER_STATEMENT = 1_000

/**
 * Stores usage records and, in the same transaction, the sums of each hour and day, so that a summary of a month adds
 * up sums instead of records.
 */
export function sqlUsage(database: Database): UsageRepository {
  const kysely = database.kysely.$extendTables<GatewayTables>()
  const { dialect } = database

  const writeRecords = rowWriter({
    kysely,
    dialect,
    rowsPerStatement: RECORDS_PER_STATEMENT,
    build: (executor, rows: readonly UsageRow[]) => executor.insertInto('gateway_usage').values(rows),
  })
  const writeSums = sumWriter(kysely, dialect)
  const addToSums = (transaction: Kysely<GatewayTables>, rows: readonly UsageRow[], direction: 1 | -1) =>
    writeSums(
      transaction,
      sumsOf(
        rows.map((row) => ({ ...row, counts: countsOf(row) })),
        direction,
      ),
    )

  /** Sets are kept for as long as records name them. All writers use one order, which prevents deadlocks. */
  const addTags = async (transaction: Kysely<GatewayTables>, tags: readonly UsageTagRow[]) => {
    if (tags.length === 0) return
    for (let start = 0; start < tags.length; start += TAGS_PER_STATEMENT) {
      const some = transaction.insertInto('gateway_usage_tags').values(tags.slice(start, start + TAGS_PER_STATEMENT))
      await dialect.skipDuplicates(some, 'tag').execute()
    }
    const sets = new Map(tags.map(({ tag_set, last_used }) => [tag_set, last_used]))
    for (const [set, day] of sets) {
      await transaction
        .updateTable('gateway_usage_tags')
        .set({ last_used: day })
        .where('tag_set', '=', set)
        .where('last_used', '<', day)
        .execute()
    }
  }

  const appendNew = (rows: readonly UsageRow[], tags: readonly UsageTagRow[]) =>
    transact({ kysely, dialect }, async (transaction) => {
      await addTags(transaction, tags)
      await writeRecords(transaction, rows)
      await addToSums(transaction, rows, 1)
    })

  /** Inserts one by one, since only new records may be counted. */
  const appendAbsent = (rows: readonly UsageRow[], tags: readonly UsageTagRow[]) =>
    transact({ kysely, dialect }, async (transaction) => {
      await addTags(transaction, tags)
      const added: UsageRow[] = []
      for (const row of rows) {
        if (await dialect.insertIfAbsent(transaction.insertInto('gateway_usage').values(row))) added.push(row)
      }
      await addToSums(transaction, added, 1)
    })

  /** Stores all records or none. */
  const appendTogether = async (records: readonly UsageRecord[]) => {
    const rows = records.map(toRow)
    const tags = tagRowsOf(records)
    try {
      await appendNew(rows, tags)
    } catch (error) {
      if (!dialect.isDuplicate(error)) throw error
      await appendAbsent(rows, tags)
    }
  }

  /** Removes some of the oldest records. @returns the number of removed records */
  const removeOldest = (before: number) =>
    transact({ kysely, dialect }, async (transaction) => {
      const oldest = transaction
        .selectFrom('gateway_usage')
        .selectAll()
        .where('at', '<', before)
        .orderBy('at')
        .limit(dialect.runsInProcess ? REMOVED_PER_TURN : REMOVED_PER_TRANSACTION)
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

  /** Removes the sums before a time of which no record is left. */
  const removeEmptySums = async (before: number) => {
    const empty = (is: ExpressionBuilder<GatewayTables, 'gateway_usage_sums'>) =>
      is.and([is('span', 'in', spans), is('start', '<', before), is('requests', '=', 0)])
    if (!dialect.runsInProcess) {
      await kysely.deleteFrom('gateway_usage_sums').where(empty).execute()
      return
    }
    const row = sql<number>`rowid`
    for (;;) {
      const some = kysely.selectFrom('gateway_usage_sums').select(row.as('row')).where(empty).limit(REMOVED_PER_TURN)
      const { numDeletedRows } = await kysely.deleteFrom('gateway_usage_sums').where(row, 'in', some).executeTakeFirst()
      if (numDeletedRows < REMOVED_PER_TURN) return
      await setImmediate()
    }
  }

  return {
    append: (records) =>
      inTurns(dialect, dialect.runsInProcess ? records.toSorted(byOwnerAndModel) : records, appendTogether),

    summarize: async (query) =>
      dialect.name === 'sqlite' ? summarizeInPieces(kysely, query) : summarizeUsage(kysely, query),

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
      await removeEmptySums(before.getTime())
      await kysely
        .deleteFrom('gateway_usage_tags')
        .where('last_used', '<', before.getTime() - DAY_MS)
        .execute()
      return removed
    },
  }
}

/** Records that are added to the same sums are then written in the same transaction, which changes these once. */
const byOwnerAndModel = (one: UsageRecord, other: UsageRecord): number =>
  compare(one.keyId ?? one.userId, other.keyId ?? other.userId) || compare(one.model, other.model)

const compare = (one = '', other = ''): number => (one === other ? 0 : one < other ? -1 : 1)

/** Returns the tags of records, each once, with the last day of its set. */
function tagRowsOf(records: readonly UsageRecord[]): readonly UsageTagRow[] {
  const rows = new Map<string, UsageTagRow>()
  for (const record of records) {
    const { tags = [], at } = record
    if (tags.length === 0) continue
    const tag_set = tagSetOf(record) ?? ''
    const last_used = at.getTime() - (at.getTime() % DAY_MS)
    for (const tag of tags) {
      const name = `${tag_set}/${tag}`
      rows.set(name, { tag_set, tag, last_used: Math.max(last_used, rows.get(name)?.last_used ?? 0) })
    }
  }
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
}
