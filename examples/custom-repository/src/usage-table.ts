import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import {
  accountIdOf,
  accountOwner,
  type UsageGrouping,
  type UsageRepository,
  type UsageSummary,
} from '@trivium/gateway-core/ports'

/** Stores usage in a table of the application, which can join it with its own tables. Only the columns that invoices need are stored. */
export function usageTable(database: DatabaseSync): UsageRepository {
  const insert = database.prepare('insert or ignore into ai_requests values (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const newest = database.prepare('select max(ended_at) as ended_at from ai_requests where ended_at < ?')
  const remove = database.prepare('delete from ai_requests where ended_at < ?')

  return {
    async append(records) {
      database.exec('begin immediate')
      try {
        for (const record of records) {
          const { id, at, model, status, partial, inputTokens, outputTokens, images } = record
          const account = accountIdOf(record) ?? null
          const failed = Number(status >= 400)
          insert.run(id, at.getTime(), account, model, failed, Number(partial), inputTokens, outputTokens, images)
        }
        database.exec('commit')
      } catch (error) {
        database.exec('rollback')
        throw error
      }
    },

    async summarize({ from, to, account = null, groupBy, limit }) {
      const groups = grouped.filter(({ by }) => groupBy.includes(by))
      const columns = groups.map(({ by, column }) => `${column} as "${by}"`)
      const statement = database.prepare(`
        select ${[...columns, ...sums].join()} from ai_requests
        where ended_at >= $from and ended_at < $to and ($account is null or key_id = $account)
        ${groups.length > 0 ? `group by ${groups.map(({ column }) => column).join()}` : 'having count(*) > 0'}
        order by ${groups.length > 0 ? groups.map(({ column }) => column).join() : 1}
        limit $limit`)
      return statement.all({ from: from.getTime(), to: to.getTime(), account, limit }).map(toSummary)
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

/** The groups in the order of the port: key, model, day. SQLite sorts null first. */
const grouped: readonly { readonly by: UsageGrouping; readonly column: string }[] = [
  { by: 'key', column: 'key_id' },
  { by: 'model', column: 'model' },
  { by: 'day', column: "date(ended_at / 1000, 'unixepoch')" },
]

const sums = [
  'count(*) as requests',
  'sum(failed) as failures',
  'sum(partial) as partial',
  'sum(input_tokens) as inputTokens',
  'sum(output_tokens) as outputTokens',
  'sum(images) as images',
]

function toSummary({ key, model, day, ...counts }: Record<string, SQLOutputValue>): UsageSummary {
  return {
    ...(typeof key === 'string' ? accountOwner(key) : {}),
    ...(typeof model === 'string' ? { model } : {}),
    ...(typeof day === 'string' ? { day } : {}),
    requests: Number(counts.requests),
    failures: Number(counts.failures),
    partial: Number(counts.partial),
    inputTokens: Number(counts.inputTokens),
    outputTokens: Number(counts.outputTokens),
    images: Number(counts.images),
  }
}
