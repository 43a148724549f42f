import { setImmediate } from 'node:timers/promises'

/** Ids in one statement. Databases bound the number of its values. */
const IDS_PER_STATEMENT = 1000

/** Looks up ids, without repetitions, in one statement for each 1,000. */
export async function inSteps<Id, Row>(
  ids: readonly Id[],
  look: (some: readonly Id[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const unique = [...new Set(ids)]
  const rows: Row[] = []
  for (let start = 0; start < unique.length; start += IDS_PER_STATEMENT) {
    // SQLite's calls never yield to the event loop.
    if (start > 0) await setImmediate()
    rows.push(...(await look(unique.slice(start, start + IDS_PER_STATEMENT))))
  }
  return rows
}
