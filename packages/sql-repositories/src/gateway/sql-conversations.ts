import { setImmediate } from 'node:timers/promises'
import type {
  ConversationId,
  ConversationRepository,
  ResponseOwner,
  StoredConversation,
} from '@trivium/gateway-core/ports'
import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'
import { absentItems, insertItems } from './conversation-items.ts'
import type { ConversationRow, GatewayTables } from './gateway-tables.ts'

const REMOVED_PER_TRANSACTION = 100

/** Stores conversations. An addition of items locks the row of its conversation, and those that it removes. */
export function sqlConversations(database: Database): ConversationRepository {
  const kysely = database.kysely.$extendTables<GatewayTables>()
  const { dialect } = database

  const visible = (
    tables: Kysely<GatewayTables>,
    id: ConversationId,
    { owner, now }: { readonly owner: ResponseOwner | undefined; readonly now: Date },
  ) => {
    const query = tables
      .selectFrom('gateway_conversations')
      .selectAll()
      .where('id', '=', id)
      .where('expires_at', '>', now.getTime())
    return owner === undefined ? query : query.where('owner', '=', owner)
  }

  const removeByIds = async (tables: Kysely<GatewayTables>, ids: readonly string[]): Promise<void> => {
    if (ids.length === 0) return
    await tables.deleteFrom('gateway_conversation_items').where('conversation_id', 'in', ids).execute()
    await tables.deleteFrom('gateway_conversations').where('id', 'in', ids).execute()
  }

  /** Removes the conversations with items of an owner that expire first beyond a length of all, except one. */
  const trim = async (tables: Kysely<GatewayTables>, owner: string, kept: string, maxLength: number): Promise<void> => {
    const lastUsed = await tables
      .selectFrom('gateway_conversations')
      .select(['id', 'length'])
      .where('owner', '=', owner)
      .orderBy('expires_at', 'desc')
      .orderBy('id', 'desc')
      .execute()
    let length = lastUsed.find(({ id }) => id === kept)?.length ?? 0
    const surplus = lastUsed.filter((row) => {
      if (row.id === kept || row.length === 0) return false
      length += row.length
      return length > maxLength
    })
    for (let start = 0; start < surplus.length; start += REMOVED_PER_TRANSACTION) {
      const some = surplus.slice(start, start + REMOVED_PER_TRANSACTION)
      await removeByIds(
        tables,
        some.map(({ id }) => id),
      )
    }
  }

  /** Removes up to 100 expired conversations. @returns their number */
  const removeSomeExpired = (now: Date, since: Date) =>
    transact({ kysely, dialect }, async (transaction) => {
      const expired = transaction
        .selectFrom('gateway_conversations')
        .select('id')
        .where('expires_at', '<=', now.getTime())
        .where('expires_at', '>=', since.getTime())
        .orderBy('expires_at')
        .limit(REMOVED_PER_TRANSACTION)
      const rows = await dialect.forUpdate(expired).execute()
      await removeByIds(
        transaction,
        rows.map(({ id }) => id),
      )
      return rows.length
    })

  const find = async (id: ConversationId, owner: ResponseOwner | undefined, now: Date) => {
    const row = await visible(kysely, id, { owner, now }).executeTakeFirst()
    return row && fromRow(row)
  }

  const positionOf = (id: ConversationId, itemId: string) =>
    kysely
      .selectFrom('gateway_conversation_items')
      .select('position')
      .where('conversation_id', '=', id)
      .where('item_id', '=', itemId)
      .executeTakeFirst()

  return {
    create: (conversation, maxConversations) =>
      transact({ kysely, dialect }, async (transaction) => {
        await transaction.insertInto('gateway_conversations').values(toRow(conversation)).execute()
        const first = await transaction
          .selectFrom('gateway_conversations')
          .select('id')
          .where('owner', '=', conversation.owner)
          .where('id', '!=', conversation.id)
          .orderBy('expires_at', 'desc')
          .orderBy('id', 'desc')
          .offset(maxConversations - 1)
          .limit(REMOVED_PER_TRANSACTION)
          .execute()
        await removeByIds(
          transaction,
          first.map(({ id }) => id),
        )
      }),

    find,

    changeMetadata: async (id, owner, metadata, now) => {
      const query = kysely.updateTable('gateway_conversations').set({ metadata }).where('id', '=', id)
      await (owner === undefined ? query : query.where('owner', '=', owner)).execute()
      return find(id, owner, now)
    },

    remove: (id, owner, now) =>
      transact({ kysely, dialect }, async (transaction) => {
        const row = await dialect.forUpdate(visible(transaction, id, { owner, now })).executeTakeFirst()
        if (row) await removeByIds(transaction, [id])
        return row !== undefined
      }),

    append: (id, items, { now, expiresAt, maxItems, maxLength, maxOwnerLength }) =>
      transact({ kysely, dialect }, async (transaction) => {
        const row = await dialect.forUpdate(visible(transaction, id, { owner: undefined, now })).executeTakeFirst()
        if (!row) return 'absent'
        const added = await absentItems(transaction, id, items)
        const length = row.length + added.reduce((total, { item }) => total + item.length, 0)
        if (row.items + added.length > maxItems || length > maxLength) return 'full'
        await insertItems(transaction, id, added, row.next_position)
        await transaction
          .updateTable('gateway_conversations')
          .set({
            items: row.items + added.length,
            length,
            next_position: row.next_position + added.length,
            expires_at: expiresAt.getTime(),
          })
          .where('id', '=', id)
          .execute()
        if (added.length > 0) await trim(transaction, row.owner, id, maxOwnerLength)
        return 'appended'
      }),

    listItems: async (id, { after, descending, limit }) => {
      const from = after === undefined ? undefined : await positionOf(id, after)
      if (after !== undefined && from === undefined) return []
      let query = kysely
        .selectFrom('gateway_conversation_items')
        .select(['item_id as id', 'item'])
        .where('conversation_id', '=', id)
      if (from !== undefined) query = query.where('position', descending ? '<' : '>', from.position)
      return query
        .orderBy('position', descending ? 'desc' : 'asc')
        .limit(limit)
        .execute()
    },

    findItem: (id, itemId) =>
      kysely
        .selectFrom('gateway_conversation_items')
        .select(['item_id as id', 'item'])
        .where('conversation_id', '=', id)
        .where('item_id', '=', itemId)
        .executeTakeFirst(),

    removeItem: (id, itemId) =>
      transact({ kysely, dialect }, async (transaction) => {
        const query = transaction.selectFrom('gateway_conversations').select(['items', 'length']).where('id', '=', id)
        const conversation = await dialect.forUpdate(query).executeTakeFirst()
        const found = await transaction
          .selectFrom('gateway_conversation_items')
          .select(['position', 'item'])
          .where('conversation_id', '=', id)
          .where('item_id', '=', itemId)
          .executeTakeFirst()
        if (!conversation || !found) return false
        await transaction
          .deleteFrom('gateway_conversation_items')
          .where('conversation_id', '=', id)
          .where('position', '=', found.position)
          .execute()
        await transaction
          .updateTable('gateway_conversations')
          .set({ items: conversation.items - 1, length: conversation.length - found.item.length })
          .where('id', '=', id)
          .execute()
        return true
      }),

    removeExpired: async (now, since = new Date(0)) => {
      for (let removed = 0; ; ) {
        const count = await removeSomeExpired(now, since)
        if (count === 0) return removed
        removed += count
        // SQLite's calls never yield to the event loop.
        await setImmediate()
      }
    },
  }
}

const toRow = (conversation: StoredConversation): ConversationRow => ({
  id: conversation.id,
  owner: conversation.owner,
  created_at: conversation.createdAt.getTime(),
  expires_at: conversation.expiresAt.getTime(),
  metadata: conversation.metadata,
  items: 0,
  length: 0,
  next_position: 0,
})

const fromRow = (row: ConversationRow): StoredConversation => ({
  // Ids and owners are stored as the gateway created them.
  id: row.id as ConversationId,
  owner: row.owner as ResponseOwner,
  createdAt: new Date(row.created_at),
  expiresAt: new Date(row.expires_at),
  metadata: row.metadata,
})
