import { setImmediate } from 'node:timers/promises'
import { type AccountId, RATE_WINDOW_MS } from '@trivium/gateway-core/ports'
import type { CompiledQuery, Kysely } from 'kysely'
import type { Database } from '../database.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { AdmissionRow, GatewayTables } from './gateway-tables.ts'
import { compiledOnce } from './row-writer.ts'

const ROWS_PER_STATEMENT = 1_000
/** SQLite bounds the depth of a condition. */
const ACCOUNTS_PER_STATEMENT = 200

/** An account, and the number of the newest entry that is known, or of the oldest one that is needed. */
export interface LogPosition {
  readonly id: AccountId
  readonly number: number
}

/** The newest entries of an account, oldest first. */
export interface LogTail {
  readonly rows: readonly AdmissionRow[]
  /** Entries before this number have left the window. Absent where none is left of them. */
  readonly removableBefore?: number
}

/** The admissions of all processes. The entries of an account have consecutive numbers. */
export interface AdmissionLog {
  /**
   * Adds entries, one of an account, unless another process has used their number.
   *
   * @returns whether all were added. Otherwise some of them may have been, which `after` shows
   */
  append(rows: readonly AdmissionRow[]): Promise<boolean>
  /** Returns the entries of accounts after those that are known, by account and number. */
  after(positions: readonly LogPosition[]): Promise<readonly AdmissionRow[]>
  /** Returns the entries of an account that may still count. */
  tail(id: AccountId): Promise<LogTail>
  /** Removes the entries of accounts before a number. */
  removeBefore(positions: readonly LogPosition[]): Promise<void>
}

export function admissionLog({ kysely: anyTables, dialect }: Database): AdmissionLog {
  const kysely = anyTables.$extendTables<GatewayTables>()
  const insertion = insertions(kysely, dialect)

  const olderThan = (id: AccountId, number: number) =>
    kysely
      .selectFrom('gateway_admissions')
      .selectAll()
      .where('key_id', '=', id)
      .where('number', '<', number)
      .orderBy('number', 'desc')
      .limit(ROWS_PER_STATEMENT)
      .execute()

  return {
    append: async (rows) => {
      try {
        const { numAffectedRows } = await kysely.executeQuery(insertion(rows))
        return numAffectedRows === BigInt(rows.length)
      } catch (error) {
        if (dialect.isDuplicate(error) || dialect.isContention(error)) return false
        throw error
      }
    },

    after: async (positions) => {
      const found: AdmissionRow[] = []
      for (let start = 0; start < positions.length; start += ACCOUNTS_PER_STATEMENT) {
        let some = positions.slice(start, start + ACCOUNTS_PER_STATEMENT)
        for (;;) {
          const rows = await kysely
            .selectFrom('gateway_admissions')
            .selectAll()
            .where((is) =>
              is.or(some.map(({ id, number }) => is.and([is('key_id', '=', id), is('number', '>', number)]))),
            )
            .orderBy('key_id')
            .orderBy('number')
            .limit(ROWS_PER_STATEMENT)
            .execute()
          found.push(...rows)
          const last = rows.at(-1)
          if (last === undefined || rows.length < ROWS_PER_STATEMENT) break
          some = some
            .filter(({ id }) => id >= last.key_id)
            .map((position) => (position.id === last.key_id ? { id: position.id, number: last.number } : position))
          // SQLite's calls never yield to the event loop.
          await setImmediate()
        }
      }
      return found
    },

    tail: async (id) => {
      const rows: AdmissionRow[] = []
      for (let before = Number.MAX_SAFE_INTEGER; ; ) {
        const older = await olderThan(id, before)
        for (const row of older) {
          const next = rows.at(-1)
          const newest = rows[0]?.at ?? row.at
          // An entry after a later one is the first of a clock that was set back, and nothing before it counts.
          if (newest - row.at >= RATE_WINDOW_MS || (next !== undefined && row.at > next.at)) {
            return { rows: rows.reverse(), removableBefore: row.number + 1 }
          }
          rows.push(row)
        }
        const oldest = older.at(-1)
        if (oldest === undefined || older.length < ROWS_PER_STATEMENT) return { rows: rows.reverse() }
        before = oldest.number
        await setImmediate()
      }
    },

    removeBefore: async (positions) => {
      for (let start = 0; start < positions.length; start += ACCOUNTS_PER_STATEMENT) {
        const some = positions.slice(start, start + ACCOUNTS_PER_STATEMENT)
        await kysely
          .deleteFrom('gateway_admissions')
          .where((is) =>
            is.or(some.map(({ id, number }) => is.and([is('key_id', '=', id), is('number', '<', number)]))),
          )
          .execute()
      }
    },
  }
}

/** Makes the statements that add rows. Compiling one takes longer than running it. */
const insertions = (
  kysely: Kysely<GatewayTables>,
  dialect: Dialect,
): ((rows: readonly AdmissionRow[]) => CompiledQuery) =>
  compiledOnce((rows) => {
    const insertion = kysely.insertInto('gateway_admissions').values(rows)
    // MySQL adds no row where one is a duplicate, and counts others in ways that depend on the connection.
    return dialect.name === 'mysql' ? insertion : dialect.skipDuplicates(insertion, 'number')
  })
