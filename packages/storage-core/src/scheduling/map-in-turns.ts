import { nextTurn } from './next-turn.ts'

/** So many calls of a store in the same process, as SQLite is, take some milliseconds. */
export const CALLS_IN_TURN = 32

/** Calls `use` for one item after the other, and lets others run after each `inTurn` of them. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  inTurn: number,
  use: (item: Item) => Promise<Result> | Result,
): Promise<readonly Result[]> {
  const results: Result[] = []
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % inTurn === 0) await nextTurn()
    const result = use(item)
    results.push(result instanceof Promise ? await result : result)
  }
  return results
}
