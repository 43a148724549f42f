import {
  type ClaimJob,
  type JobCommand,
  type JobId,
  type JobRepository,
  longestLease,
} from '@trivium/storage-core/ports'
import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'
import { fromRow, jobSource, toRow } from './job-row.ts'
import { countRecords, listRecords } from './queries/list-records.ts'
import type { JobRow, StorageTables } from './storage-tables.ts'

const notHeld = { owner: null, lease_until: null, command: null }

/**
 * Stores jobs. Claims are serialised across all processes. Every change that a worker makes to its job is one
 * statement.
 */
export function sqlJobs(database: Database): JobRepository {
  const kysely = database.kysely.$extendTables<StorageTables>()
  const { dialect } = database

  /** Changes a job whose lease the owner holds. @returns whether it held the lease and the job was changed */
  const changeHeld = async (uuid: JobId, owner: string, now: Date, changes: Partial<JobRow>): Promise<boolean> => {
    const { numUpdatedRows } = await kysely
      .updateTable('storage_jobs')
      .set(changes)
      .where('uuid', '=', uuid)
      .where('owner', '=', owner)
      .where('state', '=', 'running')
      .where('lease_until', '>', now.getTime())
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }

  return {
    add: async (job) => {
      await kysely.insertInto('storage_jobs').values(toRow(job)).execute()
    },

    find: async (uuid) => {
      const row = await jobOf(kysely, uuid).executeTakeFirst()
      return row && fromRow(row)
    },

    list: (request) => listRecords(database, jobSource, request),
    count: (query) => countRecords(database, jobSource, query),

    claim: async (request) => {
      // Without the lock first, since most of the time no job waits.
      if (request.lanes.length === 0 || (await longestWaiting(kysely, request)) === undefined) return undefined
      return transact({ kysely, dialect }, async (transaction) => {
        await dialect
          .forUpdate(transaction.selectFrom('storage_locks').selectAll().where('name', '=', 'job-claims'))
          .execute()
        const waiting = await longestWaiting(transaction, request)
        if (waiting === undefined) return undefined
        const changes = {
          state: 'running',
          owner: request.owner,
          lease_until: request.leaseUntil.getTime(),
          command: null,
          started_at: waiting.started_at ?? request.now.getTime(),
        }
        await transaction.updateTable('storage_jobs').set(changes).where('uuid', '=', waiting.uuid).execute()
        return fromRow({ ...waiting, ...changes })
      })
    },

    advance: async (uuid, { owner, progress, now, leaseUntil }) => {
      const held = await changeHeld(uuid, owner, now, {
        lease_until: leaseUntil.getTime(),
        ...(progress && { done: progress.done, total: progress.total }),
      })
      if (!held) return 'lost'
      const row = await kysely.selectFrom('storage_jobs').select('command').where('uuid', '=', uuid).executeTakeFirst()
      return (row?.command ?? 'continue') as JobCommand | 'continue' // stored as it was requested
    },

    finish: (uuid, owner, end, now) =>
      changeHeld(uuid, owner, now, {
        ...notHeld,
        state: end.state,
        ended_at: now.getTime(),
        ...(end.state === 'failure' && { failure_type: end.failure.type, message: end.failure.message }),
      }),

    suspend: (uuid, owner, state, now) => changeHeld(uuid, owner, now, { ...notHeld, state }),

    command: (uuid, command, now) =>
      transact({ kysely, dialect }, async (transaction) => {
        const row = await dialect.forUpdate(jobOf(transaction, uuid)).executeTakeFirst()
        if (row === undefined) return 'not-found'
        if (row.state === 'success' || row.state === 'failure') return 'ended'
        const held = row.state === 'running' && row.lease_until !== null && row.lease_until > now.getTime()
        const changes = held ? commandForWorker(row, command) : applyCommand(row, command, now)
        await transaction.updateTable('storage_jobs').set(changes).where('uuid', '=', uuid).execute()
        return held ? 'asked' : 'done'
      }),

    owners: async (now) => {
      const rows = await kysely
        .selectFrom('storage_jobs')
        .select('owner')
        .distinct()
        .where('state', '=', 'running')
        .where('lease_until', '>', now.getTime())
        .execute()
      return rows.flatMap(({ owner }) => owner ?? [])
    },

    endLeases: async (owner, now) => {
      await kysely
        .updateTable('storage_jobs')
        .set({ lease_until: now.getTime() })
        .where('owner', '=', owner)
        .where('state', '=', 'running')
        .execute()
    },

    removeEnded: async (before) => {
      const { numDeletedRows } = await kysely
        .deleteFrom('storage_jobs')
        .where('ended_at', '<', before.getTime())
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

const jobOf = (executor: Kysely<StorageTables>, uuid: JobId) =>
  executor.selectFrom('storage_jobs').selectAll().where('uuid', '=', uuid)

/** Finds the first job, in a lane without a held job, that is queued or whose lease has ended. */
const longestWaiting = (executor: Kysely<StorageTables>, { lanes, now, leaseUntil }: ClaimJob) =>
  executor
    .selectFrom('storage_jobs')
    .selectAll()
    .where('state', 'in', ['queued', 'running'])
    .where('lane', 'in', lanes)
    .where((is) =>
      is.or([
        is('state', '=', 'queued'),
        is('lease_until', '<=', now.getTime()),
        is('lease_until', '>', longestLease({ now, leaseUntil }).getTime()),
      ]),
    )
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom('storage_jobs as held')
            .select('held.uuid')
            .whereRef('held.lane', '=', 'storage_jobs.lane')
            .where('held.state', '=', 'running')
            .where('held.lease_until', '>', now.getTime())
            .where('held.lease_until', '<=', longestLease({ now, leaseUntil }).getTime()),
        ),
      ),
    )
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()

/** The command for the worker that holds the job. */
function commandForWorker({ command: before }: JobRow, command: JobCommand | 'resume'): Pick<JobRow, 'command'> {
  if (command !== 'resume') return { command }
  return { command: before === 'pause' ? null : before }
}

/** The changes of a command to a job that no worker holds. */
function applyCommand(row: JobRow, command: JobCommand | 'resume', now: Date): Partial<JobRow> {
  switch (command) {
    case 'pause':
      return { ...notHeld, state: 'paused' }
    case 'resume':
      return row.state === 'paused' ? { ...notHeld, state: 'queued' } : { state: row.state }
    case 'cancel':
      return {
        ...notHeld,
        state: 'failure',
        failure_type: 'cancelled',
        message: 'The job was cancelled.',
        ended_at: now.getTime(),
      }
  }
}
