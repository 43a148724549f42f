import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import { transact } from '../transact.ts'
import type { StorageTables } from './storage-tables.ts'

const TARGETS_PER_STATEMENT = 1_000
const DAY_MS = 86_400_000

interface SeenTargets {
  /** The number of the volume. */
  readonly volume: number
  readonly targets: readonly number[]
  readonly at: Date
}

/**
 * Finds the positions of targets among those of their volume. New targets get the next ones, and keep them until they
 * are removed. Notes once a day that a target was seen.
 */
export async function placesOf(
  { kysely, dialect }: { readonly kysely: Kysely<StorageTables>; readonly dialect: Dialect },
  { volume, targets, at }: SeenTargets,
): Promise<ReadonlyMap<number, number>> {
  const positions = new Map<number, number>()
  const today = Math.floor(at.getTime() / DAY_MS) * DAY_MS
  for (let start = 0; start < targets.length; start += TARGETS_PER_STATEMENT) {
    const some = targets.slice(start, start + TARGETS_PER_STATEMENT)
    if (start > 0) await setImmediate()
    const known = await placesIn(kysely, volume, some)
    for (const { target, position } of known) positions.set(target, position)
    const stale = known.flatMap(({ target, seen_at }) => (seen_at < today ? [target] : []))
    if (stale.length > 0) {
      await kysely
        .updateTable('storage_usage_targets')
        .set({ seen_at: today })
        .where('volume', '=', volume)
        .where('target', 'in', stale)
        .execute()
    }
    const missing = some.filter((target) => !positions.has(target))
    if (missing.length === 0) continue
    await transact({ kysely, dialect }, async (transaction) => {
      await lockVolume(transaction, dialect, volume)
      // Another process may have added some of them before the lock.
      const added = await placesIn(transaction, volume, missing)
      const last = await transaction
        .selectFrom('storage_usage_targets')
        .select('position')
        .where('volume', '=', volume)
        .orderBy('position', 'desc')
        .limit(1)
        .executeTakeFirst()
      for (const { target, position } of added) positions.set(target, position)
      const rows = missing
        .filter((target) => !added.some((row) => row.target === target))
        .map((target, index) => ({ volume, target, position: (last?.position ?? -1) + 1 + index, seen_at: today }))
      if (rows.length > 0) await transaction.insertInto('storage_usage_targets').values(rows).execute()
      for (const { target, position } of rows) positions.set(target, position)
    })
  }
  return positions
}

/** Lets one process at a time change the targets and points of a volume. */
export const lockVolume = (transaction: Kysely<StorageTables>, dialect: Dialect, volume: number) =>
  dialect
    .forUpdate(transaction.selectFrom('storage_usage_volumes').select('number').where('number', '=', volume))
    .execute()

const placesIn = (executor: Kysely<StorageTables>, volume: number, targets: readonly number[]) =>
  executor
    .selectFrom('storage_usage_targets')
    .select(['target', 'position', 'seen_at'])
    .where('volume', '=', volume)
    .where('target', 'in', targets)
    .execute()
