import { setTimeout } from 'node:timers/promises'
import type { Kysely, Transaction, TransactionBuilder } from 'kysely'
import type { Dialect } from './dialects/dialect.ts'

const PATIENCE_MS = 5000
const LONGEST_PAUSE_MS = 250

/**
 * Runs a transaction, and runs it again when the database aborted it in favour of another, as in a deadlock. So `work`
 * must have no effects outside the database. Gives up after 5 seconds and throws the last error. Plain reads return
 * what others have committed.
 */
export async function transact<Tables, T>(
  { kysely, dialect }: { readonly kysely: Kysely<Tables>; readonly dialect: Dialect },
  work: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  const giveUpAt = performance.now() + PATIENCE_MS
  for (let pause = 2; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await begin(kysely, dialect).execute(work)
    } catch (error) {
      if (!dialect.isContention(error) || performance.now() > giveUpAt) throw error
    }
    await setTimeout(pause * Math.random())
  }
}

function begin<Tables>(kysely: Kysely<Tables>, { isolation }: Dialect): TransactionBuilder<Tables> {
  const transaction = kysely.transaction()
  return isolation === undefined ? transaction : transaction.setIsolationLevel(isolation)
}
