import {
  type ClaimDelivery,
  compileQuery,
  longestLease,
  pageInMemory,
  type WebhookId,
  type WebhookRepository,
  webhookFields,
} from '@trivium/storage-core/ports'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'
import { leaseOwners } from './lease-owners.ts'
import { parseNotice } from './notice-row.ts'
import { countRecords, listRecords } from './queries/list-records.ts'
import type { DeliveryRow, StorageTables } from './storage-tables.ts'
import { deliveryFromRow, deliverySource, parseWebhook } from './webhook-row.ts'

/** Stores webhooks, of which there are few, and their deliveries. */
export function sqlWebhooks(database: Database): WebhookRepository {
  const kysely = database.kysely.$extendTables<StorageTables>()
  const { dialect } = database

  const all = async () => {
    const rows = await kysely.selectFrom('storage_webhooks').select('document').execute()
    return rows.map(({ document }) => parseWebhook(document))
  }

  const release = async (uuid: string, owner: string, now: Date) => {
    await kysely
      .updateTable('storage_webhooks')
      .set({ owner: null, lease_until: now.getTime() })
      .where('uuid', '=', uuid)
      .where('owner', '=', owner)
      .execute()
  }

  return {
    add: (webhook, secret, maximum) =>
      transact({ kysely, dialect }, async (transaction) => {
        await dialect
          .forUpdate(transaction.selectFrom('storage_locks').selectAll().where('name', '=', 'notices'))
          .execute()
        const counted = await transaction
          .selectFrom('storage_webhooks')
          .select((is) => is.fn.countAll<number | string>().as('count'))
          .executeTakeFirst()
        if (Number(counted?.count) >= maximum) return 'too-many'
        await transaction
          .insertInto('storage_webhooks')
          .values({
            uuid: webhook.uuid,
            document: JSON.stringify(webhook),
            secret,
            enabled: webhook.enabled ? 1 : 0,
            owner: null,
            lease_until: 0,
            retry_at: 0,
          })
          .execute()
        return 'added'
      }),

    find: async (uuid) => {
      const row = await webhookOf(kysely, uuid).executeTakeFirst()
      return row && parseWebhook(row.document)
    },

    secretOf: async (uuid) => (await webhookOf(kysely, uuid).executeTakeFirst())?.secret,

    list: async (request) => pageInMemory(webhookFields, await all(), request),
    count: async (query) => (await all()).filter(compileQuery(webhookFields, query)).length,

    change: (uuid, change) =>
      transact({ kysely, dialect }, async (transaction) => {
        const row = await dialect.forUpdate(webhookOf(transaction, uuid)).executeTakeFirst()
        if (row === undefined) return undefined
        const changed = { ...parseWebhook(row.document), ...change }
        await transaction
          .updateTable('storage_webhooks')
          .set({
            document: JSON.stringify(changed),
            enabled: changed.enabled ? 1 : 0,
            ...(changed.enabled && row.enabled === 0 && { retry_at: 0 }),
          })
          .where('uuid', '=', uuid)
          .execute()
        return changed
      }),

    remove: (uuid) =>
      transact({ kysely, dialect }, async (transaction) => {
        // The lock of publications, so that none of them adds a delivery in the meantime.
        await dialect
          .forUpdate(transaction.selectFrom('storage_locks').selectAll().where('name', '=', 'notices'))
          .execute()
        await transaction.deleteFrom('storage_deliveries').where('webhook_uuid', '=', uuid).execute()
        const { numDeletedRows } = await transaction
          .deleteFrom('storage_webhooks')
          .where('uuid', '=', uuid)
          .executeTakeFirst()
        return numDeletedRows === 1n
      }),

    listDeliveries: (uuid, request) => listRecords(database, deliverySource, request, [isOf(uuid)]),
    countDeliveries: (uuid, query) => countRecords(database, deliverySource, query, [isOf(uuid)]),

    retry: (uuid, noticeNumber, now) =>
      transact({ kysely, dialect }, async (transaction) => {
        const row = await dialect.forUpdate(webhookOf(transaction, uuid)).executeTakeFirst()
        if (row === undefined) return false
        const { numUpdatedRows } = await transaction
          .updateTable('storage_deliveries')
          .set({ state: 'pending', tries: 0, due_at: now.getTime() })
          .where('webhook_uuid', '=', uuid)
          .where('notice_number', '=', noticeNumber)
          .executeTakeFirst()
        if (numUpdatedRows === 0n && !(await deliveryOf(transaction, uuid, noticeNumber).executeTakeFirst()))
          return false
        await transaction.updateTable('storage_webhooks').set({ retry_at: 0 }).where('uuid', '=', uuid).execute()
        return true
      }),

    claim: async (request) => {
      const { owner, now, leaseUntil } = request
      for (;;) {
        const waiting = await longestFree(kysely, request)
        if (waiting === undefined) return undefined
        const { numUpdatedRows } = await kysely
          .updateTable('storage_webhooks')
          .set({ owner, lease_until: leaseUntil.getTime() })
          .where('uuid', '=', waiting.uuid)
          .where('lease_until', '=', waiting.lease_until)
          .where('retry_at', '=', waiting.retry_at)
          .where('enabled', '=', 1)
          .executeTakeFirst()
        if (numUpdatedRows !== 1n) continue
        const due = await firstDue(kysely, waiting.uuid, now)
        const row = due && (await webhookOf(kysely, waiting.uuid).executeTakeFirst())
        if (!row) {
          await release(waiting.uuid, owner, now)
          continue
        }
        const { document, ...delivery } = due
        const { secret } = row
        return {
          webhook: parseWebhook(row.document),
          secret,
          delivery: deliveryFromRow(delivery),
          notice: parseNotice(document),
        }
      }
    },

    settle: ({ webhook: { uuid }, delivery: { noticeNumber } }, owner, outcome, now) =>
      transact({ kysely, dialect }, async (transaction) => {
        const row = await dialect.forUpdate(webhookOf(transaction, uuid)).executeTakeFirst()
        if (row?.owner !== owner || row.lease_until <= now.getTime()) return false
        const isClosed = outcome.type === 'closed'
        const changes = {
          owner: null,
          lease_until: now.getTime(),
          retry_at: outcome.type === 'failed' ? outcome.retryAt.getTime() : 0,
          ...(isClosed && { enabled: 0, document: JSON.stringify({ ...parseWebhook(row.document), enabled: false }) }),
        }
        await transaction.updateTable('storage_webhooks').set(changes).where('uuid', '=', uuid).execute()
        if (outcome.type === 'interrupted') return true
        if (outcome.type === 'delivered') {
          await transaction
            .deleteFrom('storage_deliveries')
            .where('webhook_uuid', '=', uuid)
            .where('notice_number', '=', noticeNumber)
            .execute()
          return true
        }
        await transaction
          .updateTable('storage_deliveries')
          .set((is) => ({
            state: outcome.type === 'dead' ? 'dead' : 'pending',
            tries: is('tries', '+', 1),
            tried_at: now.getTime(),
            status: outcome.status ?? null,
            failure: outcome.failure,
          }))
          .where('webhook_uuid', '=', uuid)
          .where('notice_number', '=', noticeNumber)
          .execute()
        return true
      }),

    ...leaseOwners(kysely, 'storage_webhooks'),
  }
}

const isOf = (uuid: WebhookId) => sql<boolean>`${sql.ref('webhook_uuid')} = ${uuid}`

const webhookOf = (executor: Kysely<StorageTables>, uuid: string) =>
  executor.selectFrom('storage_webhooks').selectAll().where('uuid', '=', uuid)

const deliveryOf = (executor: Kysely<StorageTables>, uuid: string, noticeNumber: number) =>
  executor
    .selectFrom('storage_deliveries')
    .select('notice_number')
    .where('webhook_uuid', '=', uuid)
    .where('notice_number', '=', noticeNumber)

/** Finds the enabled webhook with a due delivery that was held longest ago. */
const longestFree = (executor: Kysely<StorageTables>, { now, leaseUntil, longestWait }: ClaimDelivery) =>
  executor
    .selectFrom('storage_webhooks')
    .select(['uuid', 'lease_until', 'retry_at'])
    .where('enabled', '=', 1)
    .where((is) =>
      is.or([
        is('lease_until', '<=', now.getTime()),
        is('lease_until', '>', longestLease({ now, leaseUntil }).getTime()),
      ]),
    )
    .where((is) => is.or([is('retry_at', '<=', now.getTime()), is('retry_at', '>', longestWait.getTime())]))
    .where((is) =>
      is.exists(
        is
          .selectFrom('storage_deliveries')
          .select('storage_deliveries.notice_number')
          .whereRef('storage_deliveries.webhook_uuid', '=', 'storage_webhooks.uuid')
          .where('storage_deliveries.state', '=', 'pending')
          .where('storage_deliveries.due_at', '<=', now.getTime()),
      ),
    )
    .orderBy('lease_until')
    .orderBy('uuid')
    .limit(1)
    .executeTakeFirst()

const firstDue = (
  executor: Kysely<StorageTables>,
  webhook: string,
  now: Date,
): Promise<(DeliveryRow & { readonly document: string }) | undefined> =>
  executor
    .selectFrom('storage_deliveries')
    .innerJoin('storage_notices', 'storage_notices.number', 'storage_deliveries.notice_number')
    .selectAll('storage_deliveries')
    .select('storage_notices.document')
    .where('webhook_uuid', '=', webhook)
    .where('state', '=', 'pending')
    .where('due_at', '<=', now.getTime())
    .orderBy('notice_number')
    .limit(1)
    .executeTakeFirst()
