import { setImmediate } from 'node:timers/promises'
import type {
  EnforcedQuota,
  EnforcedQuotaRepository,
  QuotaLimitName,
  QuotaRuleId,
  VolumeId,
} from '@trivium/storage-core/ports'
import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'
import { readRows } from './queries/read-rows.ts'
import type { EnforcedQuotaRow, StorageTables } from './storage-tables.ts'
import { fromStored, type StoredSize } from './stored-size.ts'

const QUOTAS_PER_STATEMENT = 1_000

/** Stores enforced quotas in a database that `migrateStorage` has prepared. */
export function sqlEnforcedQuotas(database: Database): EnforcedQuotaRepository {
  const kysely = database.kysely.$extendTables<StorageTables>()
  const { dialect } = database

  return {
    list: async (volume) => readRows(await ofVolume(kysely, volume).execute(), fromRow),

    find: async (volume, rule) => {
      const row = await ofVolume(kysely, volume).where('rule_uuid', '=', rule).executeTakeFirst()
      return row && fromRow(row)
    },

    replace: (volume, quotas) =>
      transact({ kysely, dialect }, async (transaction) => {
        // Lock the volume's row, since a concurrent replacement could not see the rows of this one.
        await dialect
          .forUpdate(transaction.selectFrom('storage_volumes').select('uuid').where('uuid', '=', volume))
          .execute()
        await transaction.deleteFrom('storage_enforced_quotas').where('volume_uuid', '=', volume).execute()
        const rows = quotas.map((quota) => toRow(volume, quota))
        for (let start = 0; start < rows.length; start += QUOTAS_PER_STATEMENT) {
          await transaction
            .insertInto('storage_enforced_quotas')
            .values(rows.slice(start, start + QUOTAS_PER_STATEMENT))
            .execute()
        }
      }),

    put: async (volume, quota) => {
      const row = toRow(volume, quota)
      for (;;) {
        const { numUpdatedRows } = await kysely
          .updateTable('storage_enforced_quotas')
          .set({ document: row.document })
          .where('volume_uuid', '=', volume)
          .where('rule_uuid', '=', quota.rule)
          .executeTakeFirst()
        if (numUpdatedRows === 1n) return
        if (await dialect.insertIfAbsent(kysely.insertInto('storage_enforced_quotas').values(row))) return
      }
    },

    change: (volume, { put, removed }) =>
      transact({ kysely, dialect }, async (transaction) => {
        // Sorted, since transactions that change the same rows in different orders would deadlock.
        const rules = [...removed, ...put.map(({ rule }) => rule)].toSorted()
        for (let start = 0; start < rules.length; start += QUOTAS_PER_STATEMENT) {
          await transaction
            .deleteFrom('storage_enforced_quotas')
            .where('volume_uuid', '=', volume)
            .where('rule_uuid', 'in', rules.slice(start, start + QUOTAS_PER_STATEMENT))
            .execute()
          await setImmediate()
        }
        const rows = put.map((quota) => toRow(volume, quota))
        for (let start = 0; start < rows.length; start += QUOTAS_PER_STATEMENT) {
          await transaction
            .insertInto('storage_enforced_quotas')
            .values(rows.slice(start, start + QUOTAS_PER_STATEMENT))
            .execute()
          await setImmediate()
        }
      }),

    remove: async (volume, rule) => {
      await kysely
        .deleteFrom('storage_enforced_quotas')
        .where('volume_uuid', '=', volume)
        .where('rule_uuid', '=', rule)
        .execute()
    },
  }
}

const ofVolume = (executor: Kysely<StorageTables>, volume: VolumeId) =>
  executor.selectFrom('storage_enforced_quotas').selectAll().where('volume_uuid', '=', volume)

/** A quota as JSON, in which a size that a number would round is a text. */
interface QuotaDocument extends Omit<EnforcedQuota, 'rule' | 'limits'> {
  readonly limits: { readonly [Name in QuotaLimitName]?: StoredSize }
}

function toRow(volume: VolumeId, { rule, limits, ...rest }: EnforcedQuota): EnforcedQuotaRow {
  const large = Object.entries(limits).flatMap(([name, size]) =>
    typeof size === 'bigint' ? [[name, String(size)] as const] : [],
  )
  const stored: QuotaDocument = { ...rest, limits: { ...limits, ...Object.fromEntries(large) } }
  return { volume_uuid: volume, rule_uuid: rule, document: JSON.stringify(stored) }
}

function fromRow({ rule_uuid, document }: EnforcedQuotaRow): EnforcedQuota {
  // `toRow` created the document. Ids are stored as they were in the quota.
  const { limits, ...rest } = JSON.parse(document) as QuotaDocument
  const sizes = Object.entries(limits).map(([name, size]) => [name, fromStored(size)] as const)
  return { ...rest, limits: Object.fromEntries(sizes), rule: rule_uuid as QuotaRuleId }
}
