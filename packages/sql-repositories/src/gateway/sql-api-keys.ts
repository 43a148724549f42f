import { setImmediate } from 'node:timers/promises'
import type { ApiKey, ApiKeyId } from '@trivium/gateway-core'
import { type ApiKeyRepository, type ApiKeyUse, changedApiKey } from '@trivium/gateway-core/ports'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { transact } from '../transact.ts'
import { fromRow, toRow } from './api-key-row.ts'
import type { ApiKeyRow, GatewayTables } from './gateway-tables.ts'
import { inSteps } from './in-steps.ts'

const KEYS_PER_STATEMENT = 200

/** Tables of limits whose rows are deleted with their key. Usage has its own retention. */
const limitTables = ['gateway_admissions', 'gateway_budgets', 'gateway_holds'] as const

/** Stores API keys in a database that `migrateGateway` has prepared. Any number of processes may share it. */
export function sqlApiKeys(database: Database): ApiKeyRepository {
  const kysely = database.kysely.$extendTables<GatewayTables>()
  const { dialect } = database

  const rowOf = (executor: Kysely<GatewayTables>, id: ApiKeyId) =>
    executor.selectFrom('gateway_api_keys').selectAll().where('id', '=', id)

  /** Calls `patch` with the key while its row is locked. */
  const change = (id: ApiKeyId, patch: (key: ApiKey) => Partial<ApiKeyRow> | undefined) =>
    transact({ kysely, dialect }, async (transaction) => {
      const row = await dialect.forUpdate(rowOf(transaction, id)).executeTakeFirst()
      const changes = row && patch(fromRow(row))
      if (row === undefined || changes === undefined) return undefined
      if (Object.keys(changes).length > 0) {
        await transaction.updateTable('gateway_api_keys').set(changes).where('id', '=', id).execute()
      }
      return fromRow({ ...row, ...changes })
    })

  /** Removes up to 200 ended keys and their rows in the tables of limits. @returns the number of removed keys */
  const removeSomeEnded = (before: number) =>
    transact({ kysely, dialect }, async (transaction) => {
      const ended = transaction
        .selectFrom('gateway_api_keys')
        .select('id')
        .where((is) => is.or([is('revoked_at', '<', before), is('expires_at', '<', before)]))
        .orderBy('id')
        .limit(KEYS_PER_STATEMENT)
      const ids = (await dialect.forUpdate(ended).execute()).map(({ id }) => id)
      if (ids.length === 0) return 0
      for (const table of limitTables) await transaction.deleteFrom(table).where('key_id', 'in', ids).execute()
      await transaction.deleteFrom('gateway_api_keys').where('id', 'in', ids).execute()
      return ids.length
    })

  const addUses = async (transaction: Kysely<GatewayTables>, uses: readonly ApiKeyUse[]) => {
    if (dialect.name === 'sqlite') {
      await additionInSqlite(uses).execute(transaction)
      return
    }
    const ids = uses.map(({ id }) => id)
    const keys = transaction.selectFrom('gateway_api_keys').select('id').where('id', 'in', ids).orderBy('id')
    // Lock the rows in a fixed order first. Replicas that lock them in different orders cause deadlocks.
    await dialect.forUpdate(keys).execute()
    await transaction.updateTable('gateway_api_keys').set(addition(dialect, uses)).where('id', 'in', ids).execute()
  }

  return {
    add: async (key) => {
      const added = await dialect.insertIfAbsent(kysely.insertInto('gateway_api_keys').values(toRow(key)))
      return added ? 'added' : 'name-taken'
    },

    find: async (id) => {
      const row = await rowOf(kysely, id).executeTakeFirst()
      return row && fromRow(row)
    },

    findByHash: async (hash) => {
      const row = await kysely.selectFrom('gateway_api_keys').selectAll().where('hash', '=', hash).executeTakeFirst()
      return row && fromRow(row)
    },

    list: async ({ username, teamId, after, limit }) => {
      let query = kysely.selectFrom('gateway_api_keys').selectAll().orderBy('created_at').orderBy('id').limit(limit)
      if (username !== undefined) query = query.where('username', '=', username)
      if (teamId !== undefined) query = query.where('team_id', '=', teamId)
      if (after !== undefined) {
        const last = await rowOf(kysely, after).executeTakeFirst()
        if (last === undefined) return []
        // Not one comparison of pairs, for which MariaDB uses no index.
        query = query
          .where('created_at', '>=', last.created_at)
          .where((is) => is.or([is('created_at', '>', last.created_at), is('id', '>', last.id)]))
      }
      return (await query.execute()).map(fromRow)
    },

    namesOf: (ids) =>
      inSteps(ids, async (some) => {
        const rows = await kysely
          .selectFrom('gateway_api_keys')
          .select(['id', 'name', 'username'])
          .where('id', 'in', some)
          .execute()
        return rows.map(({ id, name, username }) => ({
          id: id as ApiKeyId, // stored as the gateway created it
          username,
          ...(name !== null && { name }),
        }))
      }),

    usernamesOf: (userIds) =>
      inSteps(userIds, async (some) => {
        const rows = await kysely
          .selectFrom('gateway_api_keys')
          .select(['user_id', 'username'])
          .distinct()
          .where('user_id', 'in', some)
          .execute()
        return rows.map(({ user_id, username }) => ({ userId: user_id, username }))
      }),

    count: async ({ username, teamId }, at) => {
      const isUsable = sql`revoked_at is null and (expires_at is null or expires_at > ${at.getTime()})`
      const row = await kysely
        .selectFrom('gateway_api_keys')
        .$if(username !== undefined, (keys) => keys.where('username', '=', username ?? ''))
        .$if(teamId !== undefined, (keys) => keys.where('team_id', '=', teamId ?? null))
        .select([
          sql<number | string>`count(*)`.as('found'),
          sql<number | string | null>`sum(case when ${isUsable} then 1 else 0 end)`.as('usable'),
        ])
        .executeTakeFirst()
      return { usable: Number(row?.usable ?? 0), all: Number(row?.found ?? 0) }
    },

    change: async (id, changes) => {
      try {
        return await change(id, (key) => {
          // Uses are counted by others while the row is not locked.
          const { usage_count, last_used_at, ...row } = toRow(changedApiKey(key, changes))
          return row
        })
      } catch (error) {
        if (dialect.isDuplicate(error)) return 'name-taken'
        throw error
      }
    },

    replaceSecret: (id, secret) =>
      change(id, ({ revokedAt }) => (revokedAt === undefined ? { hash: secret.hash, hint: secret.hint } : undefined)),

    revoke: (id, at) => change(id, ({ revokedAt = at }) => ({ revoked_at: revokedAt.getTime(), name_claim: null })),

    removeEnded: async (before) => {
      let removed = 0
      for (;;) {
        const count = await removeSomeEnded(before.getTime())
        if (count === 0) return removed
        removed += count
        // SQLite's calls never yield to the event loop.
        await setImmediate()
      }
    },

    proveWritable: async () => {
      await kysely.updateTable('gateway_write_proof').set({ writes: sql<number>`writes + 1` }).execute()
    },

    recordUses: async (uses) => {
      const totals = totalUses(uses)
      if (totals.length === 0) return
      // One transaction, since callers repeat all uses after a failure.
      await transact({ kysely, dialect }, async (transaction) => {
        for (let start = 0; start < totals.length; start += KEYS_PER_STATEMENT) {
          await addUses(transaction, totals.slice(start, start + KEYS_PER_STATEMENT))
        }
      })
    },
  }
}

/** In the order of the keys' ids, in which their rows are locked. */
function totalUses(uses: readonly ApiKeyUse[]): readonly ApiKeyUse[] {
  const totals = new Map<ApiKeyId, ApiKeyUse>()
  for (const { id, count, lastUsedAt } of uses) {
    const before = totals.get(id) ?? { count: 0, lastUsedAt }
    totals.set(id, {
      id,
      count: before.count + count,
      lastUsedAt: before.lastUsedAt > lastUsedAt ? before.lastUsedAt : lastUsedAt,
    })
  }
  return [...totals.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
}

/** One text for any number of uses, which is prepared once. */
const additionInSqlite = (uses: readonly ApiKeyUse[]) => sql`
  update ${sql.table('gateway_api_keys')} as known
  set usage_count = usage_count + used.count, last_used_at = max(coalesce(last_used_at, 0), used.at)
  from (
    select value ->> 0 as id, value ->> 1 as count, value ->> 2 as at
    from json_each(${JSON.stringify(uses.map(({ id, count, lastUsedAt }) => [id, count, lastUsedAt.getTime()]))})
  ) as used
  where known.id = used.id`

function addition(dialect: Dialect, uses: readonly ApiKeyUse[]) {
  const ofKey = (value: (use: ApiKeyUse) => number) =>
    dialect.toInteger(
      sql`case id ${sql.join(
        uses.map((use) => sql`when ${use.id} then ${value(use)}`),
        sql` `,
      )} end`,
    )
  return {
    usage_count: sql<number>`usage_count + ${ofKey(({ count }) => count)}`,
    last_used_at: dialect.greatest<number>(
      sql`coalesce(last_used_at, 0)`,
      ofKey(({ lastUsedAt }) => lastUsedAt.getTime()),
    ),
  }
}
