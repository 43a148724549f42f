import type { ConversationId, ConversationItem } from '@trivium/gateway-core/ports'
import type { Kysely } from 'kysely'
import type { GatewayTables } from './gateway-tables.ts'

const ITEMS_PER_STATEMENT = 1_000

/** Returns the items whose ids the conversation lacks, each once. */
export async function absentItems(
  tables: Kysely<GatewayTables>,
  id: ConversationId,
  items: readonly ConversationItem[],
): Promise<readonly ConversationItem[]> {
  const absent = new Map(items.map((item) => [item.id, item]))
  for (let start = 0; start < items.length; start += ITEMS_PER_STATEMENT) {
    const ids = items.slice(start, start + ITEMS_PER_STATEMENT).map((item) => item.id)
    const present = await tables
      .selectFrom('gateway_conversation_items')
      .select('item_id')
      .where('conversation_id', '=', id)
      .where('item_id', 'in', ids)
      .execute()
    for (const { item_id } of present) absent.delete(item_id)
  }
  return [...absent.values()]
}

/** Adds items from a position on. */
export async function insertItems(
  tables: Kysely<GatewayTables>,
  id: ConversationId,
  items: readonly ConversationItem[],
  position: number,
): Promise<void> {
  const rows = items.map((item, index) => ({
    conversation_id: id,
    position: position + index,
    item_id: item.id,
    item: item.item,
  }))
  for (let start = 0; start < rows.length; start += ITEMS_PER_STATEMENT) {
    const some = rows.slice(start, start + ITEMS_PER_STATEMENT)
    await tables.insertInto('gateway_conversation_items').values(some).execute()
  }
}
