import { setImmediate } from 'node:timers/promises'
import type { QuotaRule } from '@trivium/storage-core'
import {
  compareValues,
  isSameRule,
  type QuotaRuleBatch,
  type QuotaRuleId,
  type VolumeId,
} from '@trivium/storage-core/ports'
import type { Kysely, Transaction } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import { transact } from '../transact.ts'
import { insertJob } from './job-row.ts'
import { fromRow, toRow, userRows } from './quota-rule-row.ts'
import { claimKeys, hashOfKey, insertRule, keyRows, readBack } from './rule-keys.ts'
import type { QuotaRuleKeyRow, QuotaRuleRow, StorageTables } from './storage-tables.ts'

/** Statements of so many rows hold up the process for some milliseconds, where the database runs in it. */
const ROWS_PER_STATEMENT = 25

/** Thrown to roll back a batch that no longer fits what is stored. */
class BatchOutdated extends Error {}

export interface RuleStore {
  readonly kysely: Kysely<StorageTables>
  readonly dialect: Dialect
}

/** Returns the rules of a volume that have at least one of these target keys. */
export async function rulesByKeys({ kysely }: RuleStore, volume: VolumeId, keys: readonly string[]) {
  const found = new Map<string, QuotaRule>()
  await inPieces(keys.map(hashOfKey), async (hashes) => {
    const uuids = kysely
      .selectFrom('storage_quota_rule_keys')
      .select('rule_uuid')
      .where('volume_uuid', '=', volume)
      .where('key_hash', 'in', hashes)
    const rows = await kysely.selectFrom('storage_quota_rules').selectAll().where('uuid', 'in', uuids).execute()
    for (const row of rows) found.set(row.uuid, fromRow(row))
  })
  return [...found.values()]
}

/**
 * Applies a batch in one transaction, in the order of ids: the pages of the indexes are then written once each.
 *
 * @returns `false`, with nothing changed, when it no longer fits what is stored
 */
export async function applyRuleBatch(
  { kysely, dialect }: RuleStore,
  { added, companions, replaced, removed, kept, jobs }: QuotaRuleBatch,
): Promise<boolean> {
  try {
    await transact({ kysely, dialect }, async (transaction) => {
      await checkStored({ transaction, dialect }, [...replaced.map(({ before }) => before), ...removed, ...kept])
      await removeRules(transaction, removed.map(({ uuid }) => uuid).toSorted())
      const byUuid = replaced.toSorted((left, right) => compareValues(left.after.uuid, right.after.uuid))
      await replaceRules({ transaction, dialect }, byUuid)
      await addRules(
        { transaction, dialect },
        added.toSorted((left, right) => compareValues(left.uuid, right.uuid)),
      )
      for (const rule of companions) {
        if (await claimKeys({ transaction, dialect }, rule)) await insertRule(transaction, rule)
      }
      for (const job of jobs) await insertJob(transaction, job)
    })
    return true
  } catch (error) {
    if (error instanceof BatchOutdated) return false
    throw error
  }
}

interface BatchTransaction {
  readonly transaction: Transaction<StorageTables>
  readonly dialect: Dialect
}

/** Locks rules, and compares them with what is expected. */
async function checkStored({ transaction, dialect }: BatchTransaction, expected: readonly QuotaRule[]): Promise<void> {
  const byUuid = new Map<string, QuotaRule>(expected.map((rule) => [rule.uuid, rule]))
  // Sorted, since transactions that lock the same rows in different orders would deadlock.
  await inPieces([...byUuid.keys()].toSorted(), async (uuids) => {
    const query = transaction.selectFrom('storage_quota_rules').selectAll().where('uuid', 'in', uuids).orderBy('uuid')
    const rows = await dialect.forUpdate(query).execute()
    const isStored = rows.every((row) => {
      const rule = byUuid.get(row.uuid)
      return rule !== undefined && isSameRule(fromRow(row), rule)
    })
    if (rows.length !== uuids.length || !isStored) throw new BatchOutdated()
  })
}

async function removeRules(transaction: Transaction<StorageTables>, removed: readonly QuotaRuleId[]): Promise<void> {
  await inPieces(removed, async (uuids) => {
    await transaction.deleteFrom('storage_quota_rules').where('uuid', 'in', uuids).execute()
    await transaction.deleteFrom('storage_quota_rule_users').where('rule_uuid', 'in', uuids).execute()
    await transaction.deleteFrom('storage_quota_rule_keys').where('rule_uuid', 'in', uuids).execute()
  })
}

/** Replaces rules by others of the same targets, whose users and keys stay. */
async function replaceRules(
  { transaction, dialect }: BatchTransaction,
  replaced: QuotaRuleBatch['replaced'],
): Promise<void> {
  await inPieces(replaced, async (pairs) => {
    const rows = pairs.map(({ before, after }) => ({ before: toRow(before), after: toRow(after) }))
    // An index of a column that is set is written, also where the value stays.
    const columns = changedColumns(rows)
    if (columns.length === 0) return
    const insert = transaction.insertInto('storage_quota_rules').values(rows.map(({ after }) => after))
    await dialect.overwrite(insert, { key: ['uuid'], columns }).execute()
    await readBack(
      transaction,
      rows.map(({ after }) => after),
    )
  })
}

/** Returns the columns that at least one of the rows changes. */
const changedColumns = (rows: readonly { before: QuotaRuleRow; after: QuotaRuleRow }[]): readonly string[] => [
  ...new Set(
    rows.flatMap(({ before, after }) => {
      const values = new Map<string, unknown>(Object.entries(before))
      return Object.entries(after).flatMap(([column, value]) => (values.get(column) === value ? [] : column))
    }),
  ),
]

async function addRules({ transaction, dialect }: BatchTransaction, added: readonly QuotaRule[]): Promise<void> {
  const keys: QuotaRuleKeyRow[] = []
  await inPieces(added, async (rules) => keys.push(...rules.flatMap(keyRows)))
  keys.sort(byVolumeAndHash)
  try {
    await inPieces(keys, (rows) => transaction.insertInto('storage_quota_rule_keys').values(rows).execute())
  } catch (error) {
    if (dialect.isDuplicate(error)) throw new BatchOutdated()
    throw error
  }
  await inPieces(added, async (rules) => {
    const rows = rules.map(toRow)
    await transaction.insertInto('storage_quota_rules').values(rows).execute()
    await readBack(transaction, rows)
  })
  await inPieces(added.flatMap(userRows), (rows) =>
    transaction.insertInto('storage_quota_rule_users').values(rows).execute(),
  )
}

/** The order of the primary key. */
function byVolumeAndHash(left: QuotaRuleKeyRow, right: QuotaRuleKeyRow): number {
  if (left.volume_uuid !== right.volume_uuid) return left.volume_uuid < right.volume_uuid ? -1 : 1
  return left.key_hash < right.key_hash ? -1 : 1
}

/** Works on pieces one after the other, each in a turn of the event loop of its own. */
async function inPieces<Item>(
  items: readonly Item[],
  work: (piece: readonly Item[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < items.length; start += ROWS_PER_STATEMENT) {
    await setImmediate()
    await work(items.slice(start, start + ROWS_PER_STATEMENT))
  }
}
