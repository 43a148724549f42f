import type { CloneToken } from '@trivium/storage-core'
import {
  type CloneTokenField,
  type CloneTokenId,
  type CloneTokenRepository,
  cloneTokenFields,
  type NodeId,
} from '@trivium/storage-core/ports'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'
import { countRecords, listRecords } from './queries/list-records.ts'
import type { RecordSource } from './queries/record-source.ts'
import { lockAllowable, lockNode } from './split-load.ts'
import type { CloneTokenRow, StorageTables } from './storage-tables.ts'

const TOKENS_PER_STATEMENT = 500

const source: RecordSource<CloneToken, CloneTokenField, CloneTokenRow> = {
  table: 'storage_clone_tokens',
  catalogue: cloneTokenFields,
  optional: ['ownerId'],
  fromRow,
}

/** Stores clone tokens. Each transaction that charges a node locks the node's row. */
export function sqlCloneTokens(database: Database): CloneTokenRepository {
  const kysely = database.kysely.$extendTables<StorageTables>()
  const { dialect } = database

  return {
    reserve: (token, now) =>
      transact({ kysely, dialect }, async (transaction) => {
        const allowable = await lockAllowable(dialect, transaction, token.node.uuid, now)
        if (allowable === undefined) return 'node-not-found'
        if (token.reserveSize > allowable) return 'over-load'
        await transaction.insertInto('storage_clone_tokens').values(toRow(token)).execute()
        return 'reserved'
      }),

    find: async (node, uuid, now) => {
      const row = await live(kysely, node, uuid, now).executeTakeFirst()
      return row && fromRow(row)
    },

    list: (request, now) => listRecords(database, source, request, [isLive(now)]),
    count: (query, now) => countRecords(database, source, query, [isLive(now)]),

    changeExpiry: (node, uuid, { lifetimeSeconds, expiresAt }, now) =>
      transact({ kysely, dialect }, async (transaction) => {
        await lockNode(dialect, transaction, node)
        const row = await live(transaction, node, uuid, now).executeTakeFirst()
        if (row === undefined) return undefined
        const changes = { lifetime_seconds: lifetimeSeconds, expires_at: expiresAt.getTime() }
        await transaction.updateTable('storage_clone_tokens').set(changes).where('uuid', '=', uuid).execute()
        return fromRow({ ...row, ...changes })
      }),

    remove: (node, uuid, now) =>
      transact({ kysely, dialect }, async (transaction) => {
        const row = await dialect.forUpdate(live(transaction, node, uuid, now)).executeTakeFirst()
        if (row === undefined) return undefined
        await transaction.deleteFrom('storage_clone_tokens').where('uuid', '=', uuid).execute()
        return fromRow(row)
      }),

    removeExpired: async (now, since = new Date(0)) => {
      const removed: CloneToken[] = []
      for (;;) {
        const batch = await transact({ kysely, dialect }, async (transaction) => {
          const expired = transaction
            .selectFrom('storage_clone_tokens')
            .selectAll()
            .where('expires_at', '<=', now.getTime())
            .where('expires_at', '>=', since.getTime())
            .orderBy('expires_at')
            .orderBy('uuid')
            .limit(TOKENS_PER_STATEMENT)
          const rows = await dialect.forUpdate(expired).execute()
          if (rows.length === 0) return rows
          const uuids = rows.map(({ uuid }) => uuid)
          await transaction.deleteFrom('storage_clone_tokens').where('uuid', 'in', uuids).execute()
          return rows
        })
        if (batch.length === 0) return removed
        removed.push(...batch.map(fromRow))
      }
    },
  }
}

const isLive = (now: Date) => sql<boolean>`${sql.ref('expires_at')} > ${now.getTime()}`

const live = (executor: Kysely<StorageTables>, node: NodeId, uuid: CloneTokenId, now: Date) =>
  executor
    .selectFrom('storage_clone_tokens')
    .selectAll()
    .where('uuid', '=', uuid)
    .where('node_uuid', '=', node)
    .where('expires_at', '>', now.getTime())

function toRow({ uuid, node, reserveSize, lifetimeSeconds, expiresAt, ownerId }: CloneToken): CloneTokenRow {
  return {
    uuid,
    node_uuid: node.uuid,
    node_name: node.name,
    reserve_size: reserveSize,
    lifetime_seconds: lifetimeSeconds,
    expires_at: expiresAt.getTime(),
    owner_id: ownerId ?? null,
  }
}

function fromRow(row: CloneTokenRow): CloneToken {
  return {
    // Ids are stored as they were in the token.
    node: { uuid: row.node_uuid as NodeId, name: row.node_name },
    uuid: row.uuid as CloneTokenId,
    reserveSize: row.reserve_size,
    lifetimeSeconds: row.lifetime_seconds,
    expiresAt: new Date(row.expires_at),
    ...(row.owner_id !== null && { ownerId: row.owner_id }),
  }
}
