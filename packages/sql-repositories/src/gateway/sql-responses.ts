import { setImmediate } from 'node:timers/promises'
import type { ResponseId, ResponseOwner, ResponseRepository } from '@trivium/gateway-core/ports'
import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'
import type { GatewayTables } from './gateway-tables.ts'
import { fromRow, toRow } from './response-row.ts'

const REMOVED_PER_TRANSACTION = 100
const OUTPUTS_PER_STATEMENT = 1_000

interface Sized {
  readonly id: string
  readonly owner: string
  readonly bytes: number
}

const running = ['queued', 'in_progress']

/** Stores responses. The number and bytes of each owner are kept in a row, which a change of them locks. */
export function sqlResponses(database: Database): ResponseRepository {
  const kysely = database.kysely.$extendTables<GatewayTables>()
  const { dialect } = database

  const addOutputs = async (tables: Kysely<GatewayTables>, id: string, outputIds: readonly string[]): Promise<void> => {
    const rows = [...new Set(outputIds)].map((itemId) => ({ response_id: id, item_id: itemId }))
    for (let start = 0; start < rows.length; start += OUTPUTS_PER_STATEMENT) {
      const some = rows.slice(start, start + OUTPUTS_PER_STATEMENT)
      await dialect.skipDuplicates(tables.insertInto('gateway_response_outputs').values(some), 'item_id').execute()
    }
  }

  /** Adds to the sums of an owner, which locks them. */
  const addUp = (tables: Kysely<GatewayTables>, owner: string, responses: number, bytes: number) =>
    dialect
      .addUp(tables.insertInto('gateway_response_owners').values({ owner, responses, bytes }), {
        table: 'gateway_response_owners',
        key: ['owner'],
        columns: ['responses', 'bytes'],
      })
      .execute()

  /** Removes the sums of an owner that stores nothing any longer. Its row is locked by a change before. */
  const removeEmpty = (tables: Kysely<GatewayTables>, owner: string) =>
    tables
      .deleteFrom('gateway_response_owners')
      .where('owner', '=', owner)
      .where('responses', '=', 0)
      .where('bytes', '=', 0)
      .execute()

  const removeRows = async (tables: Kysely<GatewayTables>, rows: readonly Sized[]): Promise<void> => {
    if (rows.length === 0) return
    const ids = rows.map(({ id }) => id)
    await tables.deleteFrom('gateway_response_outputs').where('response_id', 'in', ids).execute()
    await tables.deleteFrom('gateway_responses').where('id', 'in', ids).execute()
    // In one order, so that removals wait for each other instead of blocking each other.
    for (const owner of [...new Set(rows.map((row) => row.owner))].sort()) {
      const ofOwner = rows.filter((row) => row.owner === owner)
      await addUp(tables, owner, -ofOwner.length, -ofOwner.reduce((total, { bytes }) => total + bytes, 0))
      await removeEmpty(tables, owner)
    }
  }

  const removeOldest = async (
    tables: Kysely<GatewayTables>,
    owner: string,
    kept: string,
    most: Sums,
  ): Promise<void> => {
    for (;;) {
      const sums = await tables
        .selectFrom('gateway_response_owners')
        .select(['responses', 'bytes'])
        .where('owner', '=', owner)
        .executeTakeFirstOrThrow()
      const surplus = sums.responses - most.responses
      if (surplus <= 0 && sums.bytes <= most.bytes) return
      const oldest = await tables
        .selectFrom('gateway_responses')
        .select(['id', 'owner', 'bytes'])
        .where('owner', '=', owner)
        .where('id', '!=', kept)
        .orderBy('created_at')
        .orderBy('id')
        .limit(REMOVED_PER_TRANSACTION)
        .execute()
      if (oldest.length === 0) return
      await removeRows(tables, firstBeyond(oldest, surplus, sums.bytes - most.bytes))
    }
  }

  /** Removes up to 100 expired responses. @returns their number */
  const removeSomeExpired = (now: Date, since: Date) =>
    transact({ kysely, dialect }, async (transaction) => {
      const expired = transaction
        .selectFrom('gateway_responses')
        .select(['id', 'owner', 'bytes'])
        .where('expires_at', '<=', now.getTime())
        .where('expires_at', '>=', since.getTime())
        .orderBy('expires_at')
        .limit(REMOVED_PER_TRANSACTION)
      const rows = await dialect.forUpdate(expired).execute()
      await removeRows(transaction, rows)
      return rows.length
    })

  const visible = (tables: Kysely<GatewayTables>, owner: ResponseOwner | undefined, now: Date) => {
    const query = tables.selectFrom('gateway_responses').where('gateway_responses.expires_at', '>', now.getTime())
    return owner === undefined ? query : query.where('gateway_responses.owner', '=', owner)
  }

  const find = async (id: ResponseId, owner: ResponseOwner | undefined, now: Date) => {
    const row = await visible(kysely, owner, now).selectAll().where('id', '=', id).executeTakeFirst()
    return row && fromRow(row)
  }

  return {
    save: (response, outputIds, { maxResponses, maxBytes }) =>
      transact({ kysely, dialect }, async (transaction) => {
        const query = transaction.insertInto('gateway_responses').values(toRow(response))
        await addUp(transaction, response.owner, 1, response.bytes)
        if (!(await dialect.insertIfAbsent(query))) {
          await addUp(transaction, response.owner, -1, -response.bytes)
          await removeEmpty(transaction, response.owner)
          return 'id-taken'
        }
        await addOutputs(transaction, response.id, outputIds)
        await removeOldest(transaction, response.owner, response.id, { responses: maxResponses, bytes: maxBytes })
        return 'saved'
      }),

    find,

    findByOutput: async (itemId, owner, now) => {
      const found = await visible(kysely, owner, now)
        .innerJoin('gateway_response_outputs', 'gateway_response_outputs.response_id', 'gateway_responses.id')
        .where('gateway_response_outputs.item_id', '=', itemId)
        .select('gateway_responses.id')
        .orderBy('gateway_responses.created_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      // The id is as it was stored.
      return found && find(found.id as ResponseId, owner, now)
    },

    remove: (id, owner, now) =>
      transact({ kysely, dialect }, async (transaction) => {
        const query = visible(transaction, owner, now).select(['id', 'owner', 'bytes']).where('id', '=', id)
        const row = await dialect.forUpdate(query).executeTakeFirst()
        if (row) await removeRows(transaction, [row])
        return row !== undefined
      }),

    renewLease: (id, leaseUntil) =>
      transact({ kysely, dialect }, async (transaction) => {
        const query = transaction.selectFrom('gateway_responses').select('id').where('id', '=', id)
        const row = await dialect.forUpdate(query.where('state', 'in', running)).executeTakeFirst()
        if (!row) return false
        const lease = { lease_until: leaseUntil.getTime() }
        await transaction.updateTable('gateway_responses').set(lease).where('id', '=', id).execute()
        return true
      }),

    finish: (id, { status, response, bytes, outputIds }, leaseEndedBy) =>
      transact({ kysely, dialect }, async (transaction) => {
        const query = transaction
          .selectFrom('gateway_responses')
          .select(['owner', 'bytes', 'lease_until'])
          .where('id', '=', id)
          .where('state', 'in', running)
        const row = await dialect.forUpdate(query).executeTakeFirst()
        if (!row) return false
        if (leaseEndedBy && row.lease_until !== null && row.lease_until > leaseEndedBy.getTime()) return false
        await transaction
          .updateTable('gateway_responses')
          .set({ state: status, response, bytes, lease_until: null })
          .where('id', '=', id)
          .execute()
        await addOutputs(transaction, id, outputIds)
        await addUp(transaction, row.owner, 0, bytes - row.bytes)
        return true
      }),

    removeExpired: async (now, since = new Date(0)) => {
      let removed = 0
      for (;;) {
        const count = await removeSomeExpired(now, since)
        removed += count
        if (count === 0) return removed
        // SQLite's calls never yield to the event loop.
        await setImmediate()
      }
    },
  }
}

interface Sums {
  readonly responses: number
  readonly bytes: number
}

/** Returns the first rows that together are at least that many, and that many bytes. */
function firstBeyond(rows: readonly Sized[], count: number, bytes: number): readonly Sized[] {
  const removed: Sized[] = []
  let removedBytes = 0
  for (const row of rows) {
    if (removed.length >= count && removedBytes >= bytes) break
    removed.push(row)
    removedBytes += row.bytes
  }
  return removed
}
