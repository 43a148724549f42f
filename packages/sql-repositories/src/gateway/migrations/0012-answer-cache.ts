import type { Schema } from '../../dialects/schema.ts'

/** A SHA-256 digest in hexadecimal. */
const HASH_LENGTH = 64

export async function answerCache({ createTable, createIndex, types }: Schema): Promise<void> {
  await createTable('gateway_answers')
    .addColumn('hash', types.varchar(HASH_LENGTH), (column) => column.primaryKey())
    .addColumn('stored_at', types.integer, (column) => column.notNull())
    .addColumn('expires_at', types.integer, (column) => column.notNull())
    .addColumn('answer', types.text, (column) => column.notNull())
    .execute()
  await createIndex('gateway_answers_expiry', 'gateway_answers', ['expires_at', 'hash'])
}
