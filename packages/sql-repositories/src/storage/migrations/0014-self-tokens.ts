import type { Schema } from '../../dialects/schema.ts'
import { addLock } from './add-lock.ts'

/** The tokens with which users read the own quotas, by the hashes of their secrets. */
export async function selfTokens({ kysely, createTable, createIndex, types }: Schema): Promise<void> {
  await createTable('storage_self_tokens')
    .addColumn('uuid', types.varchar(64), (column) => column.primaryKey())
    .addColumn('hash', types.varchar(64), (column) => column.notNull())
    .addColumn('user_name', types.varchar(128))
    .addColumn('user_id', types.varchar(32))
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('expires_at', types.integer, (column) => column.notNull())
    .execute()
  await createIndex('storage_self_tokens_hash', 'storage_self_tokens', ['hash'], { unique: true })
  await createIndex('storage_self_tokens_expires', 'storage_self_tokens', ['expires_at'])
  await addLock({ kysely }, 'self-tokens')
}
