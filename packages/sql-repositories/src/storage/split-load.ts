import type { NodeId } from '@trivium/storage-core/ports'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import type { StorageTables } from './storage-tables.ts'

/**
 * What nodes have and what is used of it, seen at one moment: a statement of its own for tokens and for splits could
 * miss what moves from one to the other in between.
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
 * What the node has left to grant, in bytes; `undefined` where there is no such node. Until the transaction ends nobody
 * else can take from the node.
 */
export async function holdAllowable(
  dialect: Dialect,
  transaction: Transaction<StorageTables>,
  node: NodeId,
  now: Date,
): Promise<number | undefined> {
  await holdNode(dialect, transaction, node)
  const [load] = await splitLoads(transaction, now, node)
  return load && load.split_load_maximum - Number(load.current) - Number(load.reserved)
}

export async function holdNode(dialect: Dialect, transaction: Transaction<StorageTables>, node: NodeId): Promise<void> {
  await dialect
    .forUpdate(transaction.selectFrom('storage_nodes').select('uuid').where('uuid', '=', node))
    .executeTakeFirst()
}

const sum = (column: string) => sql<number | string | null>`sum(${sql.ref(column)})`
