import { createHash } from 'node:crypto'
import {
  type LimitState,
  type LimitStateRepository,
  type LimitSubject,
  subjectKey,
  type VolumeId,
} from '@trivium/storage-core/ports'
import type { Database } from '../database.ts'
import type { LimitStateRow, StorageTables } from './storage-tables.ts'

/** Stores the states of limits in a database that `migrateStorage` has prepared. */
export function sqlLimitStates(database: Database): LimitStateRepository {
  const kysely = database.kysely.$extendTables<StorageTables>()

  return {
    list: async (volume) => {
      const rows = await kysely
        .selectFrom('storage_limit_states')
        .selectAll()
        .where('volume_uuid', '=', volume)
        .execute()
      return rows.map(fromRow)
    },

    add: (state) => database.dialect.insertIfAbsent(kysely.insertInto('storage_limit_states').values(toRow(state))),

    replace: async (state, from) => {
      const { sequence, document } = toRow(state)
      const { numUpdatedRows } = await kysely
        .updateTable('storage_limit_states')
        .set({ sequence, document })
        .where('volume_uuid', '=', state.volume)
        .where('key_hash', '=', hash(state.subject))
        .where('sequence', '=', from)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    remove: async (volume, subject, from) => {
      const { numDeletedRows } = await kysely
        .deleteFrom('storage_limit_states')
        .where('volume_uuid', '=', volume)
        .where('key_hash', '=', hash(subject))
        .where('sequence', '=', from)
        .executeTakeFirst()
      return numDeletedRows === 1n
    },
  }
}

interface StateDocument {
  readonly subject: LimitSubject
  /** In milliseconds since 1970, as the other times. */
  readonly exceededSince?: number
  readonly graceStartedAt?: number
  readonly graceEndedAt?: number
  readonly thresholds: readonly number[]
}

const hash = (subject: LimitSubject): string => createHash('sha256').update(subjectKey(subject)).digest('hex')

function toRow({ volume, subject, sequence, thresholds, ...times }: LimitState): LimitStateRow {
  const { exceededSince, graceStartedAt, graceEndedAt } = times
  const document: StateDocument = {
    subject,
    ...(exceededSince && { exceededSince: exceededSince.getTime() }),
    ...(graceStartedAt && { graceStartedAt: graceStartedAt.getTime() }),
    ...(graceEndedAt && { graceEndedAt: graceEndedAt.getTime() }),
    thresholds,
  }
  return { volume_uuid: volume, key_hash: hash(subject), sequence, document: JSON.stringify(document) }
}

function fromRow({ volume_uuid, sequence, document }: LimitStateRow): LimitState {
  // `toRow` created the document. Ids are stored as they were in the state.
  const { exceededSince, graceStartedAt, graceEndedAt, ...state } = JSON.parse(document) as StateDocument
  return {
    ...state,
    volume: volume_uuid as VolumeId,
    sequence,
    ...(exceededSince !== undefined && { exceededSince: new Date(exceededSince) }),
    ...(graceStartedAt !== undefined && { graceStartedAt: new Date(graceStartedAt) }),
    ...(graceEndedAt !== undefined && { graceEndedAt: new Date(graceEndedAt) }),
  }
}
