import { setTimeout } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import type { Dialect } from './dialects/dialect.ts'

const PATIENCE_MS = 5000
const LONGEST_PAUSE_MS = 250

/**
 * Runs a transaction, and again when the database gave it up in favour of another (a deadlock, say): so `work` has no
 * effects outside the database. After some seconds it is not run again. Reads see what others committed, unless they ask for a lock.
 */
export async function transact<Tables, T>(
  { kysely, dialect }: { readonly kysely: Kysely<Tables>; readonly dialect: Dialect },
  work: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  const giveUpAt = performance.now() + PATIENCE_MS
  for (let pause = 2; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await kysely.transaction().execute(work)
    } catch (error) {
      if (!dialect.isContention(error) || performance.now() > giveUpAt) throw error
    }
    await setTimeout(pause * Math.random())
  }
}
