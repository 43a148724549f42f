import type { Job, Qtree } from '@trivium/storage-core'
import {
  MAXIMUM_QTREES,
  type QtreeField,
  type QtreeRepository,
  qtreeFields,
  type SecurityStyle,
  type VolumeId,
} from '@trivium/storage-core/ports'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'
import { insertJob } from './job-row.ts'
import { countRecords, listRecords } from './queries/list-records.ts'
import type { RecordSource } from './queries/record-source.ts'
import type { QtreeRow, StorageTables } from './storage-tables.ts'

const source: RecordSource<Qtree, QtreeField, QtreeRow> = {
  table: 'storage_qtrees',
  catalogue: qtreeFields,
  elsewhere: { exportPolicyName: { kind: 'required', name: 'export_policy' } },
  fromRow,
}

/** Stores qtrees in a database that `migrateStorage` has prepared. */
export function sqlQtrees(database: Database): QtreeRepository {
  const kysely = database.kysely.$extendTables<StorageTables>()
  const { dialect } = database

  const insert = (executor: Kysely<StorageTables>, qtree: Qtree) =>
    dialect.insertIfAbsent(executor.insertInto('storage_qtrees').values(toRow(qtree)))
  const insertWithJob = (qtree: Qtree, jobOf: ((created: Qtree) => Job) | undefined) =>
    transact({ kysely, dialect }, async (transaction) => {
      const inserted = await insert(transaction, qtree)
      if (inserted) await insertJob(transaction, jobOf?.(qtree))
      return inserted
    })
  const findByName = async (volume: VolumeId, name: string) => {
    const row = await ofVolume(kysely, volume).where('name', '=', name).executeTakeFirst()
    return row && fromRow(row)
  }

  return {
    registerVolume: async (qtree) => {
      await insert(kysely, qtree)
    },

    create: async (qtree, jobOf) => {
      for (;;) {
        const id = await lowestFreeId(kysely, qtree.volume.uuid)
        if (id >= MAXIMUM_QTREES) return 'full'
        const created = { ...qtree, id }
        if (await insertWithJob(created, jobOf)) return created
        // Otherwise another caller has taken the id in the meantime.
        if ((await findByName(qtree.volume.uuid, qtree.name)) !== undefined) return 'taken'
      }
    },

    find: async (volume, id) => {
      const row = await ofVolume(kysely, volume).where('id', '=', id).executeTakeFirst()
      return row && fromRow(row)
    },

    findByName,
    list: (request) => listRecords(database, source, request),
    count: (query) => countRecords(database, source, query),

    update: async (volume, id, change) => {
      try {
        return await transact({ kysely, dialect }, async (transaction) => {
          const row = await dialect.forUpdate(ofVolume(transaction, volume).where('id', '=', id)).executeTakeFirst()
          if (row === undefined) return undefined
          const changed = { ...fromRow(row), ...change }
          const { volume_uuid, id: _, ...changes } = toRow(changed)
          await transaction
            .updateTable('storage_qtrees')
            .set(changes)
            .where('volume_uuid', '=', volume_uuid)
            .where('id', '=', id)
            .execute()
          return changed
        })
      } catch (error) {
        if (dialect.isDuplicate(error)) return 'taken'
        throw error
      }
    },

    remove: (volume, id) =>
      transact({ kysely, dialect }, async (transaction) => {
        const row = await dialect.forUpdate(ofVolume(transaction, volume).where('id', '=', id)).executeTakeFirst()
        if (row === undefined) return undefined
        await transaction.deleteFrom('storage_qtrees').where('volume_uuid', '=', volume).where('id', '=', id).execute()
        return fromRow(row)
      }),
  }
}

const ofVolume = (executor: Kysely<StorageTables>, volume: VolumeId) =>
  executor.selectFrom('storage_qtrees').selectAll().where('volume_uuid', '=', volume)

/** The lowest free id from 1. Where the ids have no gap, which is nearly always, no search is needed. */
async function lowestFreeId(executor: Kysely<StorageTables>, volume: VolumeId): Promise<number> {
  const { count, largest } = await executor
    .selectFrom('storage_qtrees')
    .select((is) => [is.fn.countAll<number | string>().as('count'), is.fn.max('id').as('largest')])
    .where('volume_uuid', '=', volume)
    .where('id', '>', 0)
    .executeTakeFirstOrThrow()
  if (Number(count) === (largest ?? 0)) return Number(count) + 1
  const { rows } = await sql<{ free: number }>`
    select coalesce(min(candidate), 1) as free from (
      select 1 as candidate
      union all
      select id + 1 from ${sql.table('storage_qtrees')} where volume_uuid = ${volume} and id > 0
    ) candidates
    where not exists (select 1 from ${sql.table('storage_qtrees')} where volume_uuid = ${volume} and id = candidate)
  `.execute(executor)
  return rows[0]?.free ?? 1
}

function toRow(qtree: Qtree): QtreeRow {
  return {
    volume_uuid: qtree.volume.uuid,
    id: qtree.id,
    volume_name: qtree.volume.name,
    svm_uuid: qtree.svm.uuid,
    svm_name: qtree.svm.name,
    name: qtree.name,
    security_style: qtree.securityStyle,
    unix_permissions: qtree.unixPermissions,
    export_policy: qtree.exportPolicy,
  }
}

function fromRow(row: QtreeRow): Qtree {
  return {
    // Ids and styles are stored as they were in the qtree.
    svm: { uuid: row.svm_uuid as Qtree['svm']['uuid'], name: row.svm_name },
    volume: { uuid: row.volume_uuid as VolumeId, name: row.volume_name },
    // A text where the driver reads integers so.
    id: Number(row.id),
    name: row.name,
    securityStyle: row.security_style as SecurityStyle,
    unixPermissions: row.unix_permissions,
    exportPolicy: row.export_policy,
  }
}
