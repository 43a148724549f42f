import { nextTurn } from './next-turn.ts'

/** Some milliseconds of a store in the same process, as SQLite is. */
const ITEMS_IN_TURN = 32

/** Calls `use` for one item after the other, and lets others run in between, also where no call waits for anything. */
export async function forEachInTurns<Item>(
  items: readonly Item[],
  use: (item: Item) => Promise<unknown>,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % ITEMS_IN_TURN === 0) await nextTurn()
    await use(item)
  }
}
