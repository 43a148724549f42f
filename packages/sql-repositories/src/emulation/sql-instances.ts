import type { InstanceRecord, InstanceRepository, Removal } from '@trivium/emulation-core/ports'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'
import type { EmulationTables, InstanceRow } from './emulation-tables.ts'
import { fromRow, toRow } from './instance-row.ts'

/** Stores instances in a database that `migrateEmulation` has prepared. */
export function sqlInstances(database: Database): InstanceRepository {
  const kysely = database.kysely.$extendTables<EmulationTables>()
  const { dialect } = database
  const rowOf = (id: string) => kysely.selectFrom('emulation_instances').selectAll().where('id', '=', id)

  return {
    find: async (id) => {
      const row = await rowOf(id).executeTakeFirst()
      return row && fromRow(row)
    },

    list: async ({ projectId, kind } = {}) => {
      let query = kysely.selectFrom('emulation_instances').selectAll().orderBy('created_at').orderBy('id')
      if (projectId !== undefined) query = query.where('project_id', '=', projectId)
      if (kind !== undefined) query = query.where('kind', '=', kind)
      return (await query.execute()).map(fromRow)
    },

    add: (instance) =>
      transact({ kysely, dialect }, async (transaction) => {
        const added = await dialect.insertIfAbsent(
          transaction.insertInto('emulation_instances').values(toRow(instance)),
        )
        if (!added) return false
        await transaction
          .deleteFrom('emulation_removals')
          .where('project_id', '=', instance.projectId)
          .where('kind', '=', instance.kind)
          .where('id', '=', instance.id)
          .execute()
        return true
      }),

    replace: (instance) => replaceIn(kysely, instance),

    replaceAll: async (instances) => {
      try {
        await transact({ kysely, dialect }, async (transaction) => {
          for (const instance of instances) if (!(await replaceIn(transaction, instance))) throw new Superseded()
        })
        return true
      } catch (error) {
        if (error instanceof Superseded) return false
        throw error
      }
    },

    remove: (id) =>
      transact({ kysely, dialect }, async (transaction) => {
        const row = await dialect
          .forUpdate(transaction.selectFrom('emulation_instances').selectAll().where('id', '=', id))
          .executeTakeFirst()
        if (row === undefined) return false
        await transaction.deleteFrom('emulation_instances').where('id', '=', id).execute()
        await recordRemoval(dialect, transaction, row)
        return true
      }),

    removals: async (projectId) => {
      const rows = await kysely
        .selectFrom('emulation_removals')
        .select(['project_id', 'kind', 'id'])
        .where('project_id', '=', projectId)
        .orderBy('position')
        .orderBy('id')
        .execute()
      // The columns are stored as they were in the record.
      return rows.map(({ project_id, kind, id }) => ({ projectId: project_id, kind, id }) as Removal)
    },

    commit: async ({ projectId, kind, id }) => {
      await kysely
        .deleteFrom('emulation_removals')
        .where('project_id', '=', projectId)
        .where('kind', '=', kind)
        .where('id', '=', id)
        .execute()
    },

    removeProject: (projectId) =>
      transact({ kysely, dialect }, async (transaction) => {
        await transaction.deleteFrom('emulation_instances').where('project_id', '=', projectId).execute()
        await transaction.deleteFrom('emulation_removals').where('project_id', '=', projectId).execute()
      }),
  }
}

/** Rolls a transaction back in which a record has another revision. */
class Superseded extends Error {}

async function replaceIn(kysely: Kysely<EmulationTables>, instance: InstanceRecord): Promise<boolean> {
  const { id, ...changes } = toRow(instance)
  const { numUpdatedRows } = await kysely
    .updateTable('emulation_instances')
    .set(changes)
    .where('id', '=', id)
    .where('revision', '=', instance.revision - 1)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

async function recordRemoval(
  dialect: Database['dialect'],
  transaction: Transaction<EmulationTables>,
  { project_id, kind, id }: InstanceRow,
): Promise<void> {
  const { last } = await transaction
    .selectFrom('emulation_removals')
    .select((is) => is.fn.max('position').as('last'))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  const removal = { project_id, kind, id, position: (last ?? 0) + 1 }
  await dialect.skipDuplicates(transaction.insertInto('emulation_removals').values(removal), 'id').execute()
}
