import type { DatabaseSync } from 'node:sqlite'
import type { UsageRecord } from '@trivium/gateway-core'
import { accountIdOf, summarizeRecords, type UsageRepository } from '@trivium/gateway-core/ports'

/**
 * Stores usage in a table of the application, which can join it with its own tables. The columns are what invoices need.
 * The rest of a record is JSON, from which reports are made.
 */
export function usageTable(database: DatabaseSync): UsageRepository {
  const insert = database.prepare('insert or ignore into ai_requests values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const select = database.prepare('select record from ai_requests where ended_at >= ? and ended_at < ?')
  const newest = database.prepare('select max(ended_at) as ended_at from ai_requests where ended_at < ?')
  const remove = database.prepare('delete from ai_requests where ended_at < ?')

  function* recordsBetween(from: Date, to: Date): Generator<UsageRecord> {
    for (const { record } of select.iterate(from.getTime(), to.getTime())) {
      const stored: UsageRecord = JSON.parse(String(record))
      yield { ...stored, at: new Date(stored.at) }
    }
  }

  return {
    async append(records) {
      database.exec('begin immediate')
      try {
        for (const record of records) {
          const { id, at, model, status, partial, inputTokens, outputTokens, images, cost = null } = record
          const account = accountIdOf(record) ?? null
          const counts = [Number(status >= 400), Number(partial), inputTokens, outputTokens, images, cost]
          insert.run(id, at.getTime(), account, model, ...counts, JSON.stringify(record))
        }
        database.exec('commit')
      } catch (error) {
        database.exec('rollback')
        throw error
      }
    },

    async summarize(query) {
      return summarizeRecords([...recordsBetween(query.from, query.to)], query)
    },

    async newestBefore(before) {
      const at = newest.get(before.getTime())?.ended_at
      return typeof at === 'number' ? new Date(at) : undefined
    },

    async removeBefore(before) {
      return Number(remove.run(before.getTime()).changes)
    },
  }
}
