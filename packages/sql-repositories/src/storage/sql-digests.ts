import { type ClaimDigest, type DigestRepository, longestLease } from '@trivium/storage-core/ports'
import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'
import { leaseOwners } from './lease-owners.ts'
import { noticeSource } from './notice-row.ts'
import type { StorageTables } from './storage-tables.ts'

/** Stores how far recipients have the notices. Claims of one recipient are serialised by its row. */
export function sqlDigests(database: Database): DigestRepository {
  const kysely = database.kysely.$extendTables<StorageTables>()
  const { dialect } = database

  return {
    register: (recipient) =>
      transact({ kysely, dialect }, async (transaction) => {
        await dialect
          .forUpdate(transaction.selectFrom('storage_locks').selectAll().where('name', '=', 'notices'))
          .execute()
        if ((await recipientOf(transaction, recipient).executeTakeFirst()) !== undefined) return
        const after_number = await lastNumber(transaction)
        const free = { until_number: null, owner: null, lease_until: 0, retry_at: 0 }
        await transaction
          .insertInto('storage_mail_recipients')
          .values({ recipient, after_number, ...free })
          .execute()
      }),

    claim: async (request) => {
      const { recipient, kinds, before, limit, owner, leaseUntil } = request
      const isDue = async (executor: Kysely<StorageTables>) => {
        const row = await recipientOf(executor, recipient).executeTakeFirst()
        if (row === undefined || !isFree(row, request)) return undefined
        if (row.until_number !== null) return row
        const first = await noticesOf(executor, request, row.after_number)
          .selectAll()
          .orderBy('number')
          .limit(1)
          .executeTakeFirst()
        return first !== undefined && first.at <= before.getTime() ? row : undefined
      }
      // Without the lock first, since most of the time no digest is due.
      if ((await isDue(kysely)) === undefined) return undefined
      return transact({ kysely, dialect }, async (transaction) => {
        await dialect.forUpdate(recipientOf(transaction, recipient)).execute()
        const row = await isDue(transaction)
        if (row === undefined) return undefined
        const until = row.until_number ?? (await lastNumber(transaction))
        await transaction
          .updateTable('storage_mail_recipients')
          .set({ until_number: until, owner, lease_until: leaseUntil.getTime() })
          .where('recipient', '=', recipient)
          .execute()
        const covered = noticesOf(transaction, { kinds }, row.after_number).where('number', '<=', until)
        const rows = await covered.selectAll().orderBy('number').limit(limit).execute()
        const counted = await covered.select((is) => is.fn.countAll<number | string>().as('count')).executeTakeFirst()
        return { until, notices: rows.map(noticeSource.fromRow), total: Number(counted?.count) }
      })
    },

    sent: (recipient, owner, now) =>
      transact({ kysely, dialect }, async (transaction) => {
        const row = await dialect.forUpdate(recipientOf(transaction, recipient)).executeTakeFirst()
        if (row?.owner !== owner || row.lease_until <= now.getTime()) return false
        const after_number = row.until_number ?? row.after_number
        await transaction
          .updateTable('storage_mail_recipients')
          .set({ after_number, until_number: null, owner: null, lease_until: now.getTime(), retry_at: 0 })
          .where('recipient', '=', recipient)
          .execute()
        return true
      }),

    release: async (recipient, owner, retryAt) => {
      await kysely
        .updateTable('storage_mail_recipients')
        .set({ owner: null, lease_until: 0, retry_at: retryAt.getTime() })
        .where('recipient', '=', recipient)
        .where('owner', '=', owner)
        .execute()
    },

    ...leaseOwners(kysely, 'storage_mail_recipients'),
  }
}

const recipientOf = (executor: Kysely<StorageTables>, recipient: string) =>
  executor.selectFrom('storage_mail_recipients').selectAll().where('recipient', '=', recipient)

const noticesOf = (executor: Kysely<StorageTables>, { kinds }: Pick<ClaimDigest, 'kinds'>, after: number) =>
  executor.selectFrom('storage_notices').where('number', '>', after).where('kind', 'in', kinds)

async function lastNumber(executor: Kysely<StorageTables>): Promise<number> {
  const row = await executor
    .selectFrom('storage_notices')
    .select((is) => is.fn.max('number').as('number'))
    .executeTakeFirst()
  return row?.number ?? 0
}

const isFree = (row: { lease_until: number; retry_at: number }, request: ClaimDigest): boolean =>
  row.retry_at <= request.now.getTime() &&
  (row.lease_until <= request.now.getTime() || row.lease_until > longestLease(request).getTime())
