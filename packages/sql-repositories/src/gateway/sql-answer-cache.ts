import { setImmediate } from 'node:timers/promises'
import type { AnswerCache, StoredAnswer } from '@trivium/gateway-core/ports'
import type { Database } from '../database.ts'
import type { AnswerRow, GatewayTables } from './gateway-tables.ts'

const REMOVED_PER_STATEMENT = 500

/** Stores answers of the cache. Each statement is atomic by itself, so that none waits for another one. */
export function sqlAnswerCache(database: Database): AnswerCache {
  const kysely = database.kysely.$extendTables<GatewayTables>()
  const { dialect } = database
  const hashes = () => kysely.selectFrom('gateway_answers').select('hash').limit(REMOVED_PER_STATEMENT)

  /** Removes the rows that a query returns, until it returns none. */
  const removeAll = async (query: ReturnType<typeof hashes>): Promise<number> => {
    for (let removed = 0; ; ) {
      const rows = await query.execute()
      if (rows.length === 0) return removed
      const found = rows.map(({ hash }) => hash)
      const { numDeletedRows } = await kysely
        .deleteFrom('gateway_answers')
        .where('hash', 'in', found)
        .executeTakeFirstOrThrow()
      removed += Number(numDeletedRows)
      if (rows.length < REMOVED_PER_STATEMENT) return removed
      // SQLite's calls never yield to the event loop.
      await setImmediate()
    }
  }

  return {
    find: async (key, now) => {
      const row = await kysely
        .selectFrom('gateway_answers')
        .selectAll()
        .where('hash', '=', key)
        .where('expires_at', '>', now.getTime())
        .executeTakeFirst()
      return row && fromRow(row)
    },

    save: async (key, answer) => {
      const { hash, ...values } = toRow(key, answer)
      const { numUpdatedRows } = await kysely
        .updateTable('gateway_answers')
        .set(values)
        .where('hash', '=', hash)
        .executeTakeFirstOrThrow()
      // Where another replica adds the row meanwhile, its answer is as good.
      if (numUpdatedRows === 0n)
        await dialect.insertIfAbsent(kysely.insertInto('gateway_answers').values({ hash, ...values }))
    },

    clear: () => removeAll(hashes()),

    removeExpired: async (now, maxEntries) => {
      const expired = await removeAll(hashes().where('expires_at', '<=', now.getTime()).orderBy('expires_at'))
      const beyond = hashes().orderBy('expires_at', 'desc').orderBy('hash', 'desc').offset(maxEntries)
      return expired + (await removeAll(beyond))
    },
  }
}

const toRow = (hash: string, { text, storedAt, expiresAt }: StoredAnswer): AnswerRow => ({
  hash,
  stored_at: storedAt.getTime(),
  expires_at: expiresAt.getTime(),
  answer: text,
})

const fromRow = ({ answer, stored_at: storedAt, expires_at: expiresAt }: AnswerRow): StoredAnswer => ({
  text: answer,
  storedAt: new Date(storedAt),
  expiresAt: new Date(expiresAt),
})
