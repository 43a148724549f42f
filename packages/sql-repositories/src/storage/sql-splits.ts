import type { Split } from '@trivium/storage-core'
import {
  type ClaimSplit,
  longestLease,
  type NodeId,
  type SplitId,
  type SplitRepository,
  type SplitStatus,
  type SvmId,
  type VolumeId,
} from '@trivium/storage-core/ports'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'
import { lockAllowable, lockNode } from './split-load.ts'
import { fromRow, toRow } from './split-row.ts'
import type { StorageTables } from './storage-tables.ts'

/** Stores splits. Each transaction that charges a node, or moves bytes that a token reserves, locks the node's row. */
export function sqlSplits(database: Database): SplitRepository {
  const kysely = database.kysely.$extendTables<StorageTables>()
  const { dialect } = database

  const charge = async (transaction: Transaction<StorageTables>, split: Split, now: Date) => {
    if (split.token === undefined) {
      const allowable = await lockAllowable(dialect, transaction, split.node.uuid, now)
      return allowable === undefined || split.size > allowable ? 'over-load' : 'begun'
    }
    await lockNode(dialect, transaction, split.node.uuid)
    const token = await transaction
      .selectFrom('storage_clone_tokens')
      .select(['reserve_size'])
      .where('uuid', '=', split.token)
      .where('node_uuid', '=', split.node.uuid)
      .where('expires_at', '>', now.getTime())
      .executeTakeFirst()
    if (token === undefined) return 'token-not-found'
    if (token.reserve_size < split.size) return 'token-too-small'
    await addToToken(transaction, split.token, -split.size)
    return 'begun'
  }

  return {
    begin: (split, now) =>
      transact({ kysely, dialect }, async (transaction) => {
        if ((await splitOf(transaction, split.uuid).executeTakeFirst()) !== undefined) return 'begun'
        const outcome = await charge(transaction, split, now)
        if (outcome === 'begun') await transaction.insertInto('storage_splits').values(toRow(split)).execute()
        return outcome
      }),

    find: async (uuid) => {
      const row = await splitOf(kysely, uuid).executeTakeFirst()
      return row && fromRow(row)
    },

    open: async (uuid, identity) => {
      const { numUpdatedRows } = await kysely
        .updateTable('storage_splits')
        .set({ identity })
        .where('uuid', '=', uuid)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    cancel: (uuid, now) =>
      transact({ kysely, dialect }, async (transaction) => {
        const found = await splitOf(transaction, uuid).executeTakeFirst()
        if (found === undefined) return
        await lockNode(dialect, transaction, found.node_uuid as NodeId) // stored as it was in the split
        const row = await dialect.forUpdate(splitOf(transaction, uuid)).executeTakeFirst()
        if (row === undefined) return
        await transaction.deleteFrom('storage_splits').where('uuid', '=', uuid).execute()
        if (row.token !== null) await addToToken(transaction, row.token, row.remaining, now)
      }),

    claim: async (request) => {
      if (request.volumes.length === 0) return undefined
      for (;;) {
        const waiting = await longestWaiting(kysely, request)
        if (waiting === undefined) return undefined
        const { numUpdatedRows } = await kysely
          .updateTable('storage_splits')
          .set({ owner: request.owner, free_at: request.leaseUntil.getTime() })
          .where('uuid', '=', waiting.uuid)
          .where('free_at', '=', waiting.free_at)
          .executeTakeFirst()
        if (numUpdatedRows === 1n) return fromRow(waiting)
      }
    },

    advance: async (uuid, { owner, remaining, position, now, leaseUntil }) => {
      if (remaining === 0) {
        const { numDeletedRows } = await kysely
          .deleteFrom('storage_splits')
          .where('uuid', '=', uuid)
          .where('owner', '=', owner)
          .where('free_at', '>', now.getTime())
          .executeTakeFirst()
        return numDeletedRows === 1n
      }
      const { numUpdatedRows } = await kysely
        .updateTable('storage_splits')
        .set({ remaining, position, free_at: leaseUntil.getTime() })
        .where('uuid', '=', uuid)
        .where('owner', '=', owner)
        .where('free_at', '>', now.getTime())
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    release: async (uuid, owner, retryAt) => {
      await kysely
        .updateTable('storage_splits')
        .set({ owner: null, free_at: retryAt.getTime() })
        .where('uuid', '=', uuid)
        .where('owner', '=', owner)
        .execute()
    },

    owners: async (now) => {
      const rows = await kysely
        .selectFrom('storage_splits')
        .select('owner')
        .distinct()
        .where('owner', 'is not', null)
        .where('free_at', '>', now.getTime())
        .execute()
      return rows.flatMap(({ owner }) => owner ?? [])
    },

    endLeases: async (owner, now) => {
      await kysely.updateTable('storage_splits').set({ free_at: now.getTime() }).where('owner', '=', owner).execute()
    },

    status: async () => {
      const rows = await kysely
        .selectFrom('storage_splits')
        .select(['volume_uuid', 'volume_name', 'svm_uuid', 'svm_name'])
        .select((is) => [
          is.fn.countAll<number | string>().as('count'),
          sql<number | string>`sum(${sql.ref('remaining')})`.as('remaining'),
        ])
        .groupBy(['volume_uuid', 'volume_name', 'svm_uuid', 'svm_name'])
        .execute()
      return rows.map(
        (row): SplitStatus => ({
          volume: { uuid: row.volume_uuid as VolumeId, name: row.volume_name }, // ids are stored unchanged
          svm: { uuid: row.svm_uuid as SvmId, name: row.svm_name },
          pendingSplits: Number(row.count),
          unsplitSize: Number(row.remaining),
        }),
      )
    },
  }
}

const splitOf = (executor: Kysely<StorageTables>, uuid: SplitId) =>
  executor.selectFrom('storage_splits').selectAll().where('uuid', '=', uuid)

const longestWaiting = (executor: Kysely<StorageTables>, { volumes, now, leaseUntil }: ClaimSplit) =>
  executor
    .selectFrom('storage_splits')
    .selectAll()
    .where('volume_uuid', 'in', volumes)
    .where('identity', 'is not', null)
    .where((is) =>
      is.or([is('free_at', '<=', now.getTime()), is('free_at', '>', longestLease({ now, leaseUntil }).getTime())]),
    )
    .orderBy('started_at')
    .orderBy('uuid')
    .limit(1)
    .executeTakeFirst()

/** Adds bytes to the reservation of a token. With `now`, only when the token has not expired by then. */
async function addToToken(
  transaction: Transaction<StorageTables>,
  token: string,
  bytes: number,
  now = new Date(0),
): Promise<void> {
  await transaction
    .updateTable('storage_clone_tokens')
    .set((is) => ({ reserve_size: is('reserve_size', '+', bytes) }))
    .where('uuid', '=', token)
    .where('expires_at', '>', now.getTime())
    .execute()
}
