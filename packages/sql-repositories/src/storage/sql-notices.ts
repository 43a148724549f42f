import type { Notice } from '@trivium/storage-core'
import { dueAt, holdoffGroup, type NoticeRepository, receives } from '@trivium/storage-core/ports'
import type { Transaction } from 'kysely'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'
import { noticeSource, toRow } from './notice-row.ts'
import { countRecords, listRecords } from './queries/list-records.ts'
import type { StorageTables } from './storage-tables.ts'
import { parseWebhook } from './webhook-row.ts'

const NOTICES_PER_STATEMENT = 500

/** Stores notices. Publications are serialised across all processes, so that numbers become visible in their order. */
export function sqlNotices(database: Database): NoticeRepository {
  const kysely = database.kysely.$extendTables<StorageTables>()
  const { dialect } = database

  async function addDeliveries(
    transaction: Transaction<StorageTables>,
    notice: Notice,
    number: number,
    now: Date,
  ): Promise<void> {
    const group = holdoffGroup(notice)
    const rows = await transaction.selectFrom('storage_webhooks').select('document').where('enabled', '=', 1).execute()
    const receivers = rows.map(({ document }) => parseWebhook(document)).filter((one) => receives(one, notice))
    for (const webhook of receivers) {
      const due = (await replaceHeld(transaction, webhook.uuid, group, now)) ?? dueAt(webhook, group, now).getTime()
      await transaction
        .insertInto('storage_deliveries')
        .values({
          webhook_uuid: webhook.uuid,
          notice_number: number,
          notice_id: notice.id,
          kind: notice.kind,
          state: 'pending',
          holdoff_group: group ?? null,
          due_at: due,
          tries: 0,
          tried_at: null,
          status: null,
          failure: null,
        })
        .execute()
    }
  }

  return {
    publish: (notice, now) =>
      transact({ kysely, dialect }, async (transaction) => {
        await dialect
          .forUpdate(transaction.selectFrom('storage_locks').selectAll().where('name', '=', 'notices'))
          .execute()
        const numberOf = () =>
          transaction.selectFrom('storage_notices').select('number').where('id', '=', notice.id).executeTakeFirst()
        if ((await numberOf()) !== undefined) return 'known'
        await transaction.insertInto('storage_notices').values(toRow(notice)).execute()
        const stored = await numberOf()
        if (stored) await addDeliveries(transaction, notice, stored.number, now)
        return 'published'
      }),

    list: (request) => listRecords(database, noticeSource, request),
    count: (query) => countRecords(database, noticeSource, query),

    trim: async (before, maximum) => {
      const newest = await kysely
        .selectFrom('storage_notices')
        .select((is) => is.fn.max('number').as('number'))
        .executeTakeFirst()
      // Numbers that a rolled back publication has used count too, so that no statement reads the whole log.
      const surplus = (newest?.number ?? 0) - maximum
      let removed = 0
      for (;;) {
        const rows = await kysely
          .selectFrom('storage_notices')
          .select('number')
          .where((is) => is.or([is('number', '<=', surplus), is('at', '<', before.getTime())]))
          .limit(NOTICES_PER_STATEMENT)
          .execute()
        if (rows.length === 0) return removed
        const numbers = rows.map(({ number }) => number)
        removed += await transact({ kysely, dialect }, async (transaction) => {
          await transaction.deleteFrom('storage_deliveries').where('notice_number', 'in', numbers).execute()
          const { numDeletedRows } = await transaction
            .deleteFrom('storage_notices')
            .where('number', 'in', numbers)
            .executeTakeFirst()
          return Number(numDeletedRows)
        })
      }
    },
  }
}

/** Removes the delivery of the group that is not due yet. @returns when it was due, in milliseconds */
async function replaceHeld(
  transaction: Transaction<StorageTables>,
  webhook: string,
  group: string | undefined,
  now: Date,
): Promise<number | undefined> {
  if (group === undefined) return undefined
  const held = await transaction
    .selectFrom('storage_deliveries')
    .select(['notice_number', 'due_at'])
    .where('webhook_uuid', '=', webhook)
    .where('state', '=', 'pending')
    .where('holdoff_group', '=', group)
    .where('due_at', '>', now.getTime())
    .executeTakeFirst()
  if (!held) return undefined
  await transaction
    .deleteFrom('storage_deliveries')
    .where('webhook_uuid', '=', webhook)
    .where('notice_number', '=', held.notice_number)
    .execute()
  return held.due_at
}
