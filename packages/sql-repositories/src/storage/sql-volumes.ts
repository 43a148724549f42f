import type { Volume } from '@trivium/storage-core'
import {
  type QuotaState,
  type VolumeField,
  type VolumeRepository,
  type VolumeState,
  volumeFields,
} from '@trivium/storage-core/ports'
import type { Database } from '../database.ts'
import { countRecords, listRecords } from './queries/list-records.ts'
import type { RecordSource } from './queries/record-source.ts'
import type { StorageTables, VolumeRow } from './storage-tables.ts'

const source: RecordSource<Volume, VolumeField, VolumeRow> = {
  table: 'storage_volumes',
  catalogue: volumeFields,
  optional: ['gracePeriodSeconds', 'parentUuid', 'parentName'],
  fromRow,
}

/** Stores volumes in a database that `migrateStorage` has prepared. */
export function sqlVolumes(database: Database): VolumeRepository {
  const kysely = database.kysely.$extendTables<StorageTables>()
  const find = () => kysely.selectFrom('storage_volumes').selectAll()

  return {
    register: async (volume) => {
      await database.dialect.insertIfAbsent(kysely.insertInto('storage_volumes').values(toRow(volume)))
      const stored = await find()
        .where('svm_uuid', '=', volume.svm.uuid)
        .where('name', '=', volume.name)
        .executeTakeFirstOrThrow()
      return fromRow(stored)
    },

    find: async (uuid) => {
      const row = await find().where('uuid', '=', uuid).executeTakeFirst()
      return row && fromRow(row)
    },

    findByName: async (svm, name) => {
      const row = await find().where('svm_uuid', '=', svm).where('name', '=', name).executeTakeFirst()
      return row && fromRow(row)
    },

    list: (request) => listRecords(database, source, request),
    count: (query) => countRecords(database, source, query),

    changeQuotaState: async (uuid, from, to) => {
      if (from.length === 0) return false
      const { numUpdatedRows } = await kysely
        .updateTable('storage_volumes')
        .set({ quota_state: to })
        .where('uuid', '=', uuid)
        .where('quota_state', 'in', from)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    changeState: async (uuid, to) => {
      const { numUpdatedRows } = await kysely
        .updateTable('storage_volumes')
        .set({ state: to })
        .where('uuid', '=', uuid)
        .where('state', '!=', to)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    changeGracePeriod: async (uuid, seconds) => {
      await kysely
        .updateTable('storage_volumes')
        .set({ grace_period_seconds: seconds ?? null })
        .where('uuid', '=', uuid)
        .execute()
    },

    changeMountPoint: async (uuid, mountPoint) => {
      await kysely.updateTable('storage_volumes').set({ mount_point: mountPoint }).where('uuid', '=', uuid).execute()
    },

    remove: async (uuid) => {
      const { numDeletedRows } = await kysely.deleteFrom('storage_volumes').where('uuid', '=', uuid).executeTakeFirst()
      return numDeletedRows === 1n
    },
  }
}

function toRow({
  uuid,
  name,
  svm,
  node,
  state,
  quotaState,
  gracePeriodSeconds,
  parent,
  mountPoint,
}: Volume): VolumeRow {
  return {
    uuid,
    name,
    svm_uuid: svm.uuid,
    svm_name: svm.name,
    node_uuid: node.uuid,
    node_name: node.name,
    state,
    quota_state: quotaState,
    grace_period_seconds: gracePeriodSeconds ?? null,
    parent_uuid: parent?.uuid ?? null,
    parent_name: parent?.name ?? null,
    mount_point: mountPoint ?? null,
  }
}

function fromRow(row: VolumeRow): Volume {
  return {
    // Ids and states are stored as they were in the volume.
    uuid: row.uuid as Volume['uuid'],
    name: row.name,
    svm: { uuid: row.svm_uuid as Volume['svm']['uuid'], name: row.svm_name },
    node: { uuid: row.node_uuid as Volume['node']['uuid'], name: row.node_name },
    state: row.state as VolumeState,
    quotaState: row.quota_state as QuotaState,
    ...(row.grace_period_seconds !== null && { gracePeriodSeconds: row.grace_period_seconds }),
    ...(row.parent_uuid !== null && {
      parent: { uuid: row.parent_uuid as Volume['uuid'], name: row.parent_name ?? '' },
    }),
    ...(row.mount_point !== null && { mountPoint: row.mount_point }),
  }
}
