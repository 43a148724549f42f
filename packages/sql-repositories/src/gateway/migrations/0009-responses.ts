import type { Schema } from '../../dialects/schema.ts'

/** The longest owner: `user:` and 128 characters. */
const OWNER_LENGTH = 133
const ID_LENGTH = 128

export async function responses({ createTable, createIndex, types }: Schema): Promise<void> {
  await createTable('gateway_responses')
    .addColumn('id', types.varchar(ID_LENGTH), (column) => column.primaryKey())
    .addColumn('owner', types.varchar(OWNER_LENGTH), (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('expires_at', types.integer, (column) => column.notNull())
    .addColumn('state', types.varchar(16), (column) => column.notNull())
    .addColumn('bytes', types.integer, (column) => column.notNull())
    .addColumn('previous_id', types.varchar(ID_LENGTH))
    .addColumn('conversation_id', types.varchar(ID_LENGTH))
    .addColumn('background', types.integer, (column) => column.notNull())
    .addColumn('lease_until', types.integer)
    .addColumn('response', types.text, (column) => column.notNull())
    .addColumn('input', types.text, (column) => column.notNull())
    .execute()
  await createIndex('gateway_responses_age', 'gateway_responses', ['owner', 'created_at', 'id'])
  await createIndex('gateway_responses_expiry', 'gateway_responses', ['expires_at', 'id'])

  await createTable('gateway_response_outputs')
    .addColumn('response_id', types.varchar(ID_LENGTH), (column) => column.notNull())
    .addColumn('item_id', types.varchar(ID_LENGTH), (column) => column.notNull())
    .addPrimaryKeyConstraint('gateway_response_outputs_key', ['response_id', 'item_id'])
    .execute()
  await createIndex('gateway_response_outputs_item', 'gateway_response_outputs', ['item_id'])

  await createTable('gateway_response_owners')
    .addColumn('owner', types.varchar(OWNER_LENGTH), (column) => column.primaryKey())
    .addColumn('responses', types.integer, (column) => column.notNull())
    .addColumn('bytes', types.integer, (column) => column.notNull())
    .execute()

  await createTable('gateway_conversations')
    .addColumn('id', types.varchar(ID_LENGTH), (column) => column.primaryKey())
    .addColumn('owner', types.varchar(OWNER_LENGTH), (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('expires_at', types.integer, (column) => column.notNull())
    .addColumn('metadata', types.text, (column) => column.notNull())
    .addColumn('items', types.integer, (column) => column.notNull())
    .addColumn('length', types.integer, (column) => column.notNull())
    .addColumn('next_position', types.integer, (column) => column.notNull())
    .execute()
  await createIndex('gateway_conversations_age', 'gateway_conversations', ['owner', 'expires_at', 'id'])
  await createIndex('gateway_conversations_expiry', 'gateway_conversations', ['expires_at', 'id'])

  await createTable('gateway_conversation_items')
    .addColumn('conversation_id', types.varchar(ID_LENGTH), (column) => column.notNull())
    .addColumn('position', types.integer, (column) => column.notNull())
    .addColumn('item_id', types.varchar(ID_LENGTH), (column) => column.notNull())
    .addColumn('item', types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint('gateway_conversation_items_key', ['conversation_id', 'position'])
    .execute()
  await createIndex('gateway_conversation_items_id', 'gateway_conversation_items', ['conversation_id', 'item_id'], {
    unique: true,
  })
}
