import { setImmediate } from 'node:timers/promises'
import type { Dialect } from '../dialects/dialect.ts'

/** Items of one transaction in this process, which then takes about a millisecond. */
const ITEMS_PER_TURN = 16

/**
 * Writes items: on a database server all together, in this process 16 in each turn of the event loop, since SQLite's calls
 * never yield to it.
 */
export async function inTurns<Item>(
  dialect: Dialect,
  items: readonly Item[],
  write: (some: readonly Item[]) => Promise<void>,
): Promise<void> {
  if (!dialect.runsInProcess) {
    if (items.length > 0) await write(items)
    return
  }
  for (let start = 0; start < items.length; start += ITEMS_PER_TURN) {
    if (start > 0) await setImmediate()
    await write(items.slice(start, start + ITEMS_PER_TURN))
  }
}
