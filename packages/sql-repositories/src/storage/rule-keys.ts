import { createHash } from 'node:crypto'
import type { QuotaRule } from '@trivium/storage-core'
import { targetKeys } from '@trivium/storage-core/ports'
import type { Transaction } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import { toRow, userRows } from './quota-rule-row.ts'
import type { QuotaRuleKeyRow, StorageTables } from './storage-tables.ts'

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
  await transaction.insertInto('storage_quota_rules').values(toRow(rule)).execute()
  const users = userRows(rule)
  if (users.length > 0) await transaction.insertInto('storage_quota_rule_users').values(users).execute()
}
