import {
  changeRule,
  type QuotaRuleId,
  type QuotaRuleRepository,
  softLimitAboveHard,
  type VolumeId,
} from '@trivium/storage-core/ports'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'
import { insertJob } from './job-row.ts'
import { countRecords, listRecords } from './queries/list-records.ts'
import { readRows } from './queries/read-rows.ts'
import { fromRow, quotaRuleSource, toRow } from './quota-rule-row.ts'
import { applyRuleBatch, rulesByKeys } from './rule-batches.ts'
import { claimKeys, insertRule, readBack } from './rule-keys.ts'
import type { StorageTables } from './storage-tables.ts'

/** Thrown to roll back a transaction whose target another rule has. */
class TargetTaken extends Error {}

/** Stores quota rules in a database that `migrateStorage` has prepared. */
export function sqlQuotaRules(database: Database): QuotaRuleRepository {
  const kysely = database.kysely.$extendTables<StorageTables>()
  const { dialect } = database

  const lockRulesOfQtree = async (transaction: Transaction<StorageTables>, volume: VolumeId, name: string) => {
    if (name === '') return []
    const query = rulesOf(transaction, volume).where('qtree_name', '=', name).orderBy('uuid')
    return (await dialect.forUpdate(query).execute()).map(fromRow)
  }

  return {
    add: async (rule, companion, job) => {
      try {
        return await transact({ kysely, dialect }, async (transaction) => {
          if (!(await claimKeys({ transaction, dialect }, rule))) throw new TargetTaken()
          await insertRule(transaction, rule)
          const addsCompanion = companion !== undefined && (await claimKeys({ transaction, dialect }, companion))
          if (addsCompanion) await insertRule(transaction, companion)
          await insertJob(transaction, job)
          return { rule: true, companion: addsCompanion }
        })
      } catch (error) {
        if (error instanceof TargetTaken) return { rule: false, companion: false }
        throw error
      }
    },

    find: async (uuid) => {
      const row = await ruleOf(kysely, uuid).executeTakeFirst()
      return row && fromRow(row)
    },

    list: (request) => listRecords(database, quotaRuleSource, request),
    count: (query) => countRecords(database, quotaRuleSource, query),
    listOfVolume: async (volume) => readRows(await rulesOf(kysely, volume).execute(), fromRow),

    update: (uuid, change, job) =>
      transact({ kysely, dialect }, async (transaction) => {
        const row = await dialect.forUpdate(ruleOf(transaction, uuid)).executeTakeFirst()
        if (row === undefined) return undefined
        const changed = changeRule(fromRow(row), change)
        if (softLimitAboveHard(changed.limits)) return 'soft-above-hard' as const
        const changedRow = toRow(changed)
        const { user_mapping, space_hard, space_soft, files_hard, files_soft, grace_period_seconds, thresholds } =
          changedRow
        await transaction
          .updateTable('storage_quota_rules')
          .set({ user_mapping, space_hard, space_soft, files_hard, files_soft, grace_period_seconds, thresholds })
          .where('uuid', '=', uuid)
          .execute()
        await readBack(transaction, [changedRow])
        await insertJob(transaction, job)
        return changed
      }),

    remove: (uuid, job) =>
      transact({ kysely, dialect }, async (transaction) => {
        const row = await dialect.forUpdate(ruleOf(transaction, uuid)).executeTakeFirst()
        if (row === undefined) return undefined
        await drop(transaction, uuid)
        await insertJob(transaction, job)
        return fromRow(row)
      }),

    findByKeys: (volume, keys) => rulesByKeys({ kysely, dialect }, volume, keys),
    applyBatch: (batch) => applyRuleBatch({ kysely, dialect }, batch),

    linkQtree: async (volume, name, id) => {
      if (name === '') return
      await kysely
        .updateTable('storage_quota_rules')
        .set({ qtree_id: id })
        .where('volume_uuid', '=', volume)
        .where('qtree_name', '=', name)
        .execute()
    },

    renameQtree: async (volume, from, to) => {
      try {
        await transact({ kysely, dialect }, async (transaction) => {
          for (const rule of await lockRulesOfQtree(transaction, volume, from)) {
            await dropKeys(transaction, rule.uuid)
            const renamed = { ...rule, target: { ...rule.target, qtree: to } }
            if (!(await claimKeys({ transaction, dialect }, renamed))) throw new TargetTaken()
            await transaction
              .updateTable('storage_quota_rules')
              .set({ qtree_name: to })
              .where('uuid', '=', rule.uuid)
              .execute()
          }
        })
        return true
      } catch (error) {
        if (error instanceof TargetTaken) return false
        throw error
      }
    },

    removeQtree: (volume, name) =>
      transact({ kysely, dialect }, async (transaction) => {
        const rules = await lockRulesOfQtree(transaction, volume, name)
        for (const { uuid } of rules) await drop(transaction, uuid)
        return rules
      }),
  }
}

const ruleOf = (executor: Kysely<StorageTables>, uuid: string) =>
  executor.selectFrom('storage_quota_rules').selectAll().where('uuid', '=', uuid)

const rulesOf = (executor: Kysely<StorageTables>, volume: VolumeId) =>
  executor.selectFrom('storage_quota_rules').selectAll().where('volume_uuid', '=', volume)

async function drop(transaction: Transaction<StorageTables>, uuid: QuotaRuleId): Promise<void> {
  await transaction.deleteFrom('storage_quota_rules').where('uuid', '=', uuid).execute()
  await transaction.deleteFrom('storage_quota_rule_users').where('rule_uuid', '=', uuid).execute()
  await dropKeys(transaction, uuid)
}

async function dropKeys(transaction: Transaction<StorageTables>, uuid: QuotaRuleId): Promise<void> {
  await transaction.deleteFrom('storage_quota_rule_keys').where('rule_uuid', '=', uuid).execute()
}
