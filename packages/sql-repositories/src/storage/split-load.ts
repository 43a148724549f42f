import type { NodeId } from '@trivium/storage-core/ports'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import type { StorageTables } from './storage-tables.ts'

/**
 * Reads the split load of nodes, its maximum, and the reservations of tokens, all in bytes. One statement, since
 * separate ones for tokens and splits could miss bytes that move from one to the other in between.
 */
export function splitLoads(executor: Kysely<StorageTables>, now: Date, node?: NodeId) {
  let query = executor
    .selectFrom('storage_nodes')
    .select(['uuid', 'name', 'split_load_maximum'])
    .select((is) => [
      is
        .selectFrom('storage_splits')
        .select(sum('storage_splits.remaining').as('total'))
        .whereRef('storage_splits.node_uuid', '=', 'storage_nodes.uuid')
        .as('current'),
      is
        .selectFrom('storage_clone_tokens')
        .select(sum('storage_clone_tokens.reserve_size').as('total'))
        .whereRef('storage_clone_tokens.node_uuid', '=', 'storage_nodes.uuid')
        .where('storage_clone_tokens.expires_at', '>', now.getTime())
        .as('reserved'),
    ])
    .orderBy('name')
  if (node !== undefined) query = query.where('uuid', '=', node)
  return query.execute()
}

/**
 * Locks a node until the transaction ends, so that no one else can charge it. Returns the bytes that it has left to
 * grant, or `undefined` where the node does not exist.
 */
export async function lockAllowable(
  dialect: Dialect,
  transaction: Transaction<StorageTables>,
  node: NodeId,
  now: Date,
): Promise<number | undefined> {
  await lockNode(dialect, transaction, node)
  const [load] = await splitLoads(transaction, now, node)
  return load && load.split_load_maximum - Number(load.current) - Number(load.reserved)
}

/** Locks the row of a node until the transaction ends. */
export async function lockNode(dialect: Dialect, transaction: Transaction<StorageTables>, node: NodeId): Promise<void> {
  await dialect
    .forUpdate(transaction.selectFrom('storage_nodes').select('uuid').where('uuid', '=', node))
    .executeTakeFirst()
}

const sum = (column: string) => sql<number | string | null>`sum(${sql.ref(column)})`
