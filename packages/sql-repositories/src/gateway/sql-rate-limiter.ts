import { randomInt } from 'node:crypto'
import {
  type AccountId,
  callGroups,
  type RateDecision,
  type RateLimiter,
  RecentAccounts,
} from '@trivium/gateway-core/ports'
import type { Database } from '../database.ts'
import { admissionLog, type LogPosition } from './admission-log.ts'
import { type Attempt, KnownAdmissions, type RateCall } from './known-admissions.ts'

const CALLS_PER_GROUP = 1_000
/** The most accounts in one group, and so the most rows in one statement. */
const ACCOUNTS_PER_GROUP = 64
const REMOVED_PER_GROUP = 32
/** Time for which a group competes with other processes. */
const PATIENCE_MS = 5_000

/** The calls of each account that are not decided yet, the one with the latest time first. */
type OpenCalls = Map<AccountId, readonly OpenCall[]>

interface OpenCall extends RateCall {
  /** Its place in the group. */
  readonly place: number
}

/** An attempt at the calls of one account, and what it is based on. */
interface AccountAttempt extends Attempt<OpenCall> {
  readonly id: AccountId
  readonly known: KnownAdmissions
}

/**
 * Rate limits, exact across all processes that use the database. The requests of one turn of the event loop, and those that
 * arrive while a statement runs, are decided together. One statement adds a row for each of their accounts to a log. The
 * rows of an account have consecutive numbers, so that a process whose row gets its number knows all admissions before it.
 * Otherwise it reads those of the others and decides again. A refusal reads the log, too. Rows that have left the window are
 * removed. The cost of an admission does not grow with the limit.
 */
export function sqlRateLimiter(database: Database): RateLimiter {
  const log = admissionLog(database)
  const writer = randomInt(2 ** 47)
  const idle = new Map<AccountId, number>()
  const accounts = new RecentAccounts<KnownAdmissions>((id, { number }) => idle.set(id, number))

  const load = async (id: AccountId): Promise<KnownAdmissions> => {
    const known = new KnownAdmissions()
    const { rows, removableBefore } = await log.tail(id)
    if (removableBefore !== undefined) known.removableBefore(removableBefore)
    for (const row of rows) known.add(row)
    return known
  }

  /** Adds what the log has of accounts besides. @returns the newest rows of this process among it */
  const catchUp = async (group: readonly Pick<AccountAttempt, 'id' | 'known'>[]) => {
    const own = new Map<AccountId, number>()
    if (group.length === 0) return own
    const knownOf = new Map(group.map(({ id, known }) => [id, known]))
    for (const row of await log.after(group.map(({ id, known }) => ({ id, number: known.number })))) {
      const id = row.key_id as AccountId // stored as the gateway created it
      if (row.writer === writer) own.set(id, row.number)
      knownOf.get(id)?.add(row)
    }
    return own
  }

  /** Adds the entries of attempts to the log. @returns the attempts that are decided by it */
  const append = async (attempts: readonly AccountAttempt[]): Promise<readonly AccountAttempt[]> => {
    const rows = attempts.flatMap(({ id, entry }) => (entry ? [{ key_id: id, ...entry, writer }] : []))
    if (rows.length === 0 || (await log.append(rows))) {
      for (const { known, entry } of attempts) known.confirm(entry)
      return attempts
    }
    for (const { known } of attempts) known.reject()
    const own = await catchUp(attempts)
    return attempts.filter(({ id, entry }) => own.get(id) === entry?.number)
  }

  /** Removes what has left the window, and reads the log again, in case that the rows of an account were deleted by hand. */
  const removeExpired = async (attempts: readonly AccountAttempt[]): Promise<void> => {
    const removable: LogPosition[] = []
    const reread = attempts.filter(({ id, known }) => {
      const number = known.takeRemovable()
      if (number !== undefined) removable.push({ id, number })
      return number !== undefined
    })
    for (const [id, number] of idle) {
      if (removable.length >= REMOVED_PER_GROUP) break
      idle.delete(id)
      removable.push({ id, number })
    }
    if (removable.length === 0) return
    try {
      await log.removeBefore(removable)
      await catchUp(reread)
    } catch {
      // What is left is removed later. The decisions are stored.
    }
  }

  /** Decides calls of some accounts, and removes them from those that are open. */
  const decideSome = async (open: OpenCalls, current: Set<AccountId>, decisions: RateDecision[]): Promise<void> => {
    const ids = [...open.keys()].slice(0, ACCOUNTS_PER_GROUP).sort()
    const attempts: AccountAttempt[] = []
    const stale: AccountAttempt[] = []
    for (const id of ids) {
      let known = accounts.get(id)
      if (!known) {
        known = await load(id)
        current.add(id)
      }
      const attempt = { id, known, ...known.attempt(open.get(id) ?? []) }
      if (current.has(id) || attempt.decided.every(([, { admitted }]) => admitted)) attempts.push(attempt)
      else stale.push(attempt)
    }
    for (const { known } of stale) known.reject()
    await catchUp(stale)
    const done = await append(attempts)
    for (const id of ids) current.add(id)
    for (const { id, known, decided, left } of done) {
      for (const [call, decision] of decided) decisions[call.place] = decision
      if (left.length > 0) open.set(id, left)
      else open.delete(id)
      const latest = decided[0]?.[0].now
      if (latest !== undefined) accounts.use(id, known, latest)
    }
    await removeExpired(done)
  }

  const call = callGroups<Omit<OpenCall, 'place'> & { readonly id: AccountId }, RateDecision>({
    mostCalls: CALLS_PER_GROUP,
    mostGroups: 1,
    schedule: setImmediate,
    run: async (calls) => {
      const open: OpenCalls = openCalls(calls)
      const ids = [...open.keys()]
      const current = new Set<AccountId>()
      const decisions: RateDecision[] = []
      const giveUpAt = performance.now() + PATIENCE_MS
      try {
        while (open.size > 0) {
          if (performance.now() > giveUpAt) throw new Error('Other processes add admissions too fast.')
          await decideSome(open, current, decisions)
        }
      } catch (error) {
        // It is unknown what the log has.
        for (const id of ids) accounts.delete(id)
        throw error
      }
      return decisions
    },
  })

  return {
    admit: (id, limit, now) => call({ id, limit, now: now.getTime(), counts: true }),
    inspect: async (id, limit, now) => {
      const { remaining, resetAt } = await call({ id, limit, now: now.getTime(), counts: false })
      return { limit, remaining, resetAt }
    },
  }
}

/** A request that is up to a second earlier than another one counts at the time of that one, so that both are one row. */
function openCalls(calls: readonly (Omit<OpenCall, 'place'> & { readonly id: AccountId })[]): OpenCalls {
  const open = new Map<AccountId, OpenCall[]>()
  calls.forEach((call, place) => {
    const others = open.get(call.id)
    if (others) others.push({ ...call, place })
    else open.set(call.id, [{ ...call, place }])
  })
  for (const ofAccount of open.values()) ofAccount.sort((one, other) => other.now - one.now)
  return open
}
