import { setImmediate } from 'node:timers/promises'
import type { LoggedRequest } from '@trivium/gateway-core'
import type { LogPlace, RequestLogQuery, RequestLogRepository } from '@trivium/gateway-core/ports'
import { searchable } from '@trivium/gateway-core/ports'
import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'
import type { GatewayTables, LoggedRequestRow } from './gateway-tables.ts'
import { inTurns } from './in-turns.ts'
import { fromRow, SEPARATOR, toRow } from './request-log-row.ts'

const REMOVED_PER_STATEMENT = 500
const REMOVED_PER_TURN = 50
/** SQLite accepts 32766 values in a statement, and a row has 13. */
const ROWS_PER_STATEMENT = 1_000
/** MariaDB accepts 16 MiB in a statement. */
const CHARACTERS_PER_STATEMENT = 2 ** 20

/** How many entries one step of a page reads. */
export interface SqlRequestLogOptions {
  /** The entries that one statement reads to find those that a filter without an index selects. @default 2_000 */
  readonly window?: number
  /** The same for a filter by text. @default 200 */
  readonly textWindow?: number
}

/** The most windows of a page. A text is searched in 4,000 entries then, and others in 40,000. */
const WINDOWS = 20

/**
 * Stores the request log. An account, a model, a team or a class of statuses has an index; of several, the first one is
 * used. Other filters are applied to the entries that it selects, in windows.
 */
export function sqlRequestLog(
  database: Database,
  { window = 2_000, textWindow = 200 }: SqlRequestLogOptions = {},
): RequestLogRepository {
  const kysely = database.kysely.$extendTables<GatewayTables>()
  const { dialect } = database

  const conditionsOf = ({
    account,
    personId,
    teamId,
    tag,
    model,
    provider,
    status,
    operation,
    text,
  }: RequestLogQuery) => {
    const indexed: Condition[] = []
    const others: Condition[] = []
    const add = (condition: Condition, hasIndex = false) =>
      (hasIndex && indexed.length === 0 ? indexed : others).push(condition)
    if (account !== undefined) add(is('account_id', account), true)
    if (model !== undefined) add(is('model', model), true)
    if (teamId !== undefined) add(is('team_id', teamId), true)
    if (typeof status === 'string') add(is('status_class', Number(status[0])), true)
    if (typeof status === 'number') {
      if (indexed.length === 0) add(is('status_class', Math.floor(status / 100)), true)
      add(is('status', status))
    }
    if (personId !== undefined) add(is('person_id', personId))
    if (provider !== undefined) add(is('provider', provider))
    if (operation !== undefined) add(is('operation', operation))
    if (tag !== undefined) {
      add(dialect.matchesPattern(sql.ref('tags'), ['', `${SEPARATOR}${tag}${SEPARATOR}`, '']))
    }
    if (text !== undefined) add(dialect.matchesPattern(sql.ref('search_text'), ['', searchable(text), '']))
    return { indexed, others }
  }

  /** Selects entries in the order of the log, after a place. */
  const selected = ({ from, to }: RequestLogQuery, conditions: readonly Condition[], after: LogPlace | undefined) => {
    let query = kysely.selectFrom('gateway_requests').where('at', '>=', from.getTime()).where('at', '<', to.getTime())
    for (const condition of conditions) query = query.where(condition)
    if (after) {
      const { id } = after
      const at = after.at.getTime()
      // Not one comparison of pairs, for which MariaDB uses no index.
      query = query.where('at', '<=', at).where((other) => other.or([other('at', '<', at), other('id', '<', id)]))
    }
    return query.orderBy('at', 'desc').orderBy('id', 'desc')
  }

  /** Returns the last entry of the next window; `undefined` where fewer are left. */
  const endOfWindow = async (
    query: RequestLogQuery,
    indexed: readonly Condition[],
    after: LogPlace | undefined,
  ): Promise<LogPlace | undefined> => {
    const size = query.text === undefined ? window : textWindow
    const row = await selected(query, indexed, after)
      .select(['at', 'id'])
      .limit(1)
      .offset(size - 1)
      .executeTakeFirst()
    return row && placeOf(row)
  }

  /** Finds the ids first, which indexes have: a page would be sorted otherwise where its period has most of the table. */
  const entriesOf = async (
    query: SelectQueryBuilder<GatewayTables, 'gateway_requests', object>,
  ): Promise<readonly LoggedRequest[]> => {
    const ids = (await query.select('id').execute()).map(({ id }) => id)
    if (ids.length === 0) return []
    const rows = await kysely.selectFrom('gateway_requests').select(['id', 'entry']).where('id', 'in', ids).execute()
    const entries = new Map(rows.map((row) => [row.id, fromRow(row)]))
    // The retention may have removed one meanwhile.
    return ids.flatMap((id) => entries.get(id) ?? [])
  }

  return {
    append: (entries) =>
      inTurns(dialect, entries, (some) =>
        transact({ kysely, dialect }, async (transaction) => {
          for (const rows of statementsOf(some.map(toRow))) {
            await dialect.skipDuplicates(transaction.insertInto('gateway_requests').values(rows), 'id').execute()
          }
        }),
      ),

    find: async (id) => {
      const row = await kysely.selectFrom('gateway_requests').select('entry').where('id', '=', id).executeTakeFirst()
      return row && fromRow(row)
    },

    list: async (query) => {
      const { limit } = query
      const { indexed, others } = conditionsOf(query)
      const found: LoggedRequest[] = []
      let { after } = query
      for (let windows = 0; windows < WINDOWS; windows += 1) {
        const end = others.length > 0 ? await endOfWindow(query, indexed, after) : undefined
        let page = selected(query, [...indexed, ...others], after)
        if (end) {
          const { id } = end
          const at = end.at.getTime()
          page = page.where('at', '>=', at).where((other) => other.or([other('at', '>', at), other('id', '>=', id)]))
        }
        found.push(...(await entriesOf(page.limit(limit + 1 - found.length))))
        if (found.length > limit) {
          const entries = found.slice(0, limit)
          const last = entries.at(-1)
          return { entries, ...(last && { next: { at: last.at, id: last.id } }) }
        }
        if (!end) return { entries: found }
        after = end
        // SQLite's calls never yield to the event loop.
        await setImmediate()
      }
      return { entries: found, ...(after && { next: after }) }
    },

    removeBefore: async (before) => {
      const most = dialect.runsInProcess ? REMOVED_PER_TURN : REMOVED_PER_STATEMENT
      for (let removed = 0; ; ) {
        const rows = await kysely
          .selectFrom('gateway_requests')
          .select('id')
          .where('at', '<', before.getTime())
          .orderBy('at')
          .limit(most)
          .execute()
        if (rows.length === 0) return removed
        const { numDeletedRows } = await kysely
          .deleteFrom('gateway_requests')
          .where(
            'id',
            'in',
            rows.map(({ id }) => id),
          )
          .executeTakeFirstOrThrow()
        removed += Number(numDeletedRows)
        if (rows.length < most) return removed
        // SQLite's calls never yield to the event loop.
        await setImmediate()
      }
    },
  }
}

type Condition = Expression<SqlBool>

const is = (column: keyof LoggedRequestRow, value: string | number): Condition =>
  sql<SqlBool>`${sql.ref(column)} = ${value}`

const placeOf = ({ at, id }: Pick<LoggedRequestRow, 'at' | 'id'>): LogPlace => ({
  at: new Date(at),
  id: id as LogPlace['id'], // stored as the gateway created it
})

/** Splits rows into statements that databases accept. */
function* statementsOf(rows: readonly LoggedRequestRow[]): Generator<LoggedRequestRow[], void> {
  let some: LoggedRequestRow[] = []
  let characters = 0
  for (const row of rows) {
    const length = row.entry.length + (row.search_text?.length ?? 0)
    if (some.length > 0 && (some.length >= ROWS_PER_STATEMENT || characters + length > CHARACTERS_PER_STATEMENT)) {
      yield some
      some = []
      characters = 0
    }
    some.push(row)
    characters += length
  }
  if (some.length > 0) yield some
}
