import { createHash } from 'node:crypto'
import type { QuotaRule } from '@trivium/storage-core'
import { targetKeys } from '@trivium/storage-core/ports'
import type { Transaction } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import { hasLargeSize, toRow, userRows } from './quota-rule-row.ts'
import type { QuotaRuleKeyRow, QuotaRuleRow, StorageTables } from './storage-tables.ts'

/** Returns the key of a target as it is stored. */
export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex')

/** Sorted, since transactions that insert the same keys in different orders would deadlock. */
export const keyRows = ({ uuid, volume, target }: QuotaRule): readonly QuotaRuleKeyRow[] =>
  targetKeys(target)
    .map(hashOfKey)
    .sort()
    .map((key_hash) => ({ volume_uuid: volume.uuid, key_hash, rule_uuid: uuid }))

/**
 * Claims the target of a rule.
 *
 * @returns whether it was free. If not, keys that were inserted before must be rolled back
 */
export async function claimKeys(
  { transaction, dialect }: { readonly transaction: Transaction<StorageTables>; readonly dialect: Dialect },
  rule: QuotaRule,
): Promise<boolean> {
  for (const row of keyRows(rule)) {
    if (!(await dialect.insertIfAbsent(transaction.insertInto('storage_quota_rule_keys').values(row)))) return false
  }
  return true
}

export async function insertRule(transaction: Transaction<StorageTables>, rule: QuotaRule): Promise<void> {
  const row = toRow(rule)
  await transaction.insertInto('storage_quota_rules').values(row).execute()
  const users = userRows(rule)
  if (users.length > 0) await transaction.insertInto('storage_quota_rule_users').values(users).execute()
  await readBack(transaction, [row])
}

/** Rolls back where the driver of a host rounds, instead of keeping a rule that no list can be read with. */
export async function readBack(transaction: Transaction<StorageTables>, rows: readonly QuotaRuleRow[]): Promise<void> {
  const large = rows.filter(hasLargeSize).map(({ uuid }) => uuid)
  if (large.length === 0) return
  await transaction.selectFrom('storage_quota_rules').selectAll().where('uuid', 'in', large).execute()
}
