import type { Split } from '@trivium/storage-core'
import {
  type ClaimSplit,
  longestLease,
  type NodeId,
  type SplitField,
  type SplitId,
  type SplitRepository,
  type SplitStatus,
  type SvmId,
  splitFields,
  type VolumeId,
} from '@trivium/storage-core/ports'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'
import { countRecords, listRecords } from './queries/list-records.ts'
import type { RecordSource } from './queries/record-source.ts'
import { lockAllowable, lockNode } from './split-load.ts'
import { fromRow, toRow } from './split-row.ts'
import type { SplitRow, StorageTables } from './storage-tables.ts'

const source: RecordSource<Split, SplitField, SplitRow> = {
  table: 'storage_splits',
  catalogue: splitFields,
  optional: ['reason'],
  fromRow,
}

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
        if (split.identity !== undefined) {
          await lockNode(dialect, transaction, split.node.uuid)
          const other = await ofFile(transaction, split.volume.uuid, split.identity).executeTakeFirst()
          if (other !== undefined) return 'taken'
        }
        const outcome = await charge(transaction, split, now)
        if (outcome !== 'begun') return outcome
        const place = (await lastPlace(transaction, split.volume.uuid)) + 1
        await transaction.insertInto('storage_splits').values(toRow(split, place)).execute()
        return outcome
      }),

    find: async (uuid) => {
      const row = await splitOf(kysely, uuid).executeTakeFirst()
      return row && fromRow(row)
    },

    findByFile: async (volume, identity) => {
      const row = await ofFile(kysely, volume, identity).executeTakeFirst()
      return row && fromRow(row)
    },

    list: (request) => listRecords(database, source, request),
    count: (query) => countRecords(database, source, query),

    queue: async (volume, limit) => {
      const rows = await waitingOn(kysely, volume).select('uuid').limit(limit).execute()
      return rows.map(({ uuid }) => uuid as SplitId) // as it was in the split
    },

    open: async (uuid, identity) => {
      const { numUpdatedRows } = await kysely
        .updateTable('storage_splits')
        .set({ identity })
        .where('uuid', '=', uuid)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    pause: async (uuid) => {
      const { numUpdatedRows } = await kysely
        .updateTable('storage_splits')
        .set({ state: 'paused', reason: null })
        .where('uuid', '=', uuid)
        .where('state', '<>', 'paused')
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    resume: async (uuid) => {
      const { numUpdatedRows } = await kysely
        .updateTable('storage_splits')
        .set((is) => ({
          state: 'waiting',
          free_at: is.case().when('owner', 'is', null).then(0).else(is.ref('free_at')).end(),
        }))
        .where('uuid', '=', uuid)
        .where('state', '=', 'paused')
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    move: (uuid, order) =>
      transact({ kysely, dialect }, async (transaction) => {
        const moved = await splitOf(transaction, uuid).executeTakeFirst()
        if (moved === undefined) return
        const volume = moved.volume_uuid as VolumeId // ids are stored as they were in the split
        await lockNode(dialect, transaction, moved.node_uuid as NodeId)
        const next = await waitingOn(transaction, volume)
          .select('place')
          .where('uuid', '<>', uuid)
          .limit(1)
          .offset(order - 1)
          .executeTakeFirst()
        if (next) {
          await transaction
            .updateTable('storage_splits')
            .set((is) => ({ place: is('place', '+', 1) }))
            .where('volume_uuid', '=', volume)
            .where('place', '>=', next.place)
            .execute()
        }
        const place = next?.place ?? (await lastPlace(transaction, volume)) + 1
        await transaction.updateTable('storage_splits').set({ place }).where('uuid', '=', uuid).execute()
      }),

    cancel: (uuid, now) =>
      transact({ kysely, dialect }, async (transaction) => {
        const found = await splitOf(transaction, uuid).executeTakeFirst()
        if (found === undefined) return undefined
        await lockNode(dialect, transaction, found.node_uuid as NodeId) // stored as it was in the split
        const row = await dialect.forUpdate(splitOf(transaction, uuid)).executeTakeFirst()
        if (row === undefined) return undefined
        await transaction.deleteFrom('storage_splits').where('uuid', '=', uuid).execute()
        if (row.token !== null) await addToToken(transaction, row.token, row.remaining, now)
        return fromRow(row)
      }),

    claim: async (request) => {
      if (request.volumes.length === 0) return undefined
      for (;;) {
        const waiting = await firstWaiting(kysely, request)
        if (waiting === undefined) return undefined
        const { numUpdatedRows } = await kysely
          .updateTable('storage_splits')
          .set({ owner: request.owner, free_at: request.leaseUntil.getTime(), state: 'running', reason: null })
          .where('uuid', '=', waiting.uuid)
          .where('free_at', '=', waiting.free_at)
          .where('state', '<>', 'paused')
          .executeTakeFirst()
        if (numUpdatedRows === 1n) return fromRow({ ...waiting, state: 'running', reason: null })
      }
    },

    advance: async (uuid, { owner, remaining, position, rate, now, leaseUntil }) => {
      if (remaining === 0) {
        const { numDeletedRows } = await kysely
          .deleteFrom('storage_splits')
          .where('uuid', '=', uuid)
          .where('owner', '=', owner)
          .where('free_at', '>', now.getTime())
          .executeTakeFirst()
        return numDeletedRows === 1n ? 'held' : 'lost'
      }
      const { numUpdatedRows } = await kysely
        .updateTable('storage_splits')
        .set((is) => ({
          remaining,
          position,
          ...(rate !== undefined && { rate }),
          free_at: leaseUntil.getTime(),
          state: is.case().when('state', '=', 'paused').then('paused').else('running').end(),
        }))
        .where('uuid', '=', uuid)
        .where('owner', '=', owner)
        .where('free_at', '>', now.getTime())
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) return 'lost'
      const state = (await splitOf(kysely, uuid).executeTakeFirst())?.state
      return state === undefined ? 'lost' : state === 'paused' ? 'paused' : 'held'
    },

    release: async (uuid, owner, { retryAt, reason }) => {
      await kysely
        .updateTable('storage_splits')
        .set((is) => ({
          owner: null,
          free_at: retryAt.getTime(),
          // Before the state, because MySQL assigns in this order.
          reason: is
            .case()
            .when('state', '=', 'paused')
            .then(null)
            .else(reason ?? null)
            .end(),
          state: is.case().when('state', '=', 'paused').then('paused').else('waiting').end(),
        }))
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

const ofFile = (executor: Kysely<StorageTables>, volume: VolumeId, identity: string) =>
  executor
    .selectFrom('storage_splits')
    .selectAll()
    .where('volume_uuid', '=', volume)
    .where('identity', '=', identity)
    .limit(1)

/** The open splits of a volume that wait, in their order. */
const waitingOn = (executor: Kysely<StorageTables>, volume: VolumeId) =>
  executor
    .selectFrom('storage_splits')
    .where('volume_uuid', '=', volume)
    .where('identity', 'is not', null)
    .where('state', '=', 'waiting')
    .orderBy('place')
    .orderBy('uuid')

async function lastPlace(executor: Kysely<StorageTables>, volume: VolumeId): Promise<number> {
  const last = await executor
    .selectFrom('storage_splits')
    .select('place')
    .where('volume_uuid', '=', volume)
    .orderBy('place', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.place ?? 0
}

const firstWaiting = (executor: Kysely<StorageTables>, { volumes, now, leaseUntil }: ClaimSplit) =>
  executor
    .selectFrom('storage_splits')
    .selectAll()
    .where('volume_uuid', 'in', volumes)
    .where('identity', 'is not', null)
    .where('state', '<>', 'paused')
    .where((is) =>
      is.or([is('free_at', '<=', now.getTime()), is('free_at', '>', longestLease({ now, leaseUntil }).getTime())]),
    )
    .orderBy('place')
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
