import type { StorageNode } from '@trivium/storage-core'
import type { NodeId, NodeRepository, SplitLoad } from '@trivium/storage-core/ports'
import type { Database } from '../database.ts'
import { splitLoads } from './split-load.ts'
import type { NodeRow, StorageTables } from './storage-tables.ts'

/** Stores nodes in a database that `migrateStorage` has prepared. */
export function sqlNodes(database: Database): NodeRepository {
  const kysely = database.kysely.$extendTables<StorageTables>()

  return {
    register: async (node) => {
      const row: NodeRow = { uuid: node.uuid, name: node.name, split_load_maximum: node.splitLoadMaximum }
      await database.dialect.insertIfAbsent(kysely.insertInto('storage_nodes').values(row))
      const stored = await kysely
        .selectFrom('storage_nodes')
        .selectAll()
        .where('name', '=', node.name)
        .executeTakeFirstOrThrow()
      return fromRow(stored)
    },

    find: async (uuid) => {
      const row = await kysely.selectFrom('storage_nodes').selectAll().where('uuid', '=', uuid).executeTakeFirst()
      return row && fromRow(row)
    },

    list: async () => {
      const rows = await kysely.selectFrom('storage_nodes').selectAll().orderBy('name').execute()
      return rows.map(fromRow)
    },

    setSplitLoadMaximum: async (uuid, bytes) => {
      const { numUpdatedRows } = await kysely
        .updateTable('storage_nodes')
        .set({ split_load_maximum: bytes })
        .where('uuid', '=', uuid)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    splitLoads: async (now) => (await splitLoads(kysely, now)).map(toSplitLoad),
  }
}

function fromRow({ uuid, name, split_load_maximum }: NodeRow): StorageNode {
  return { uuid: uuid as NodeId, name, splitLoadMaximum: split_load_maximum } // ids are stored unchanged
}

function toSplitLoad(load: Awaited<ReturnType<typeof splitLoads>>[number]): SplitLoad {
  return {
    node: { uuid: load.uuid as NodeId, name: load.name }, // as above
    maximum: load.split_load_maximum,
    current: Number(load.current),
    tokenReserved: Number(load.reserved),
  }
}
