import { nextTurn } from './next-turn.ts'

/** How many tasks run at the same time. */
const GROUP = 32

/** Runs a task for each item, a group of them at a time, and lets other requests run between groups. @returns the results in the order of the items */
export async function inGroups<T, R>(items: readonly T[], task: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; start += GROUP) {
    if (start > 0) await nextTurn()
    results.push(...(await Promise.all(items.slice(start, start + GROUP).map(task))))
  }
  return results
}
