import { err, ok, type Result } from 'neverthrow'
import { Turns } from '../turns.ts'

/** Entries are read in pieces of that many, since each may be large. */
const LARGE_PIECE = 25
const SMALL_PIECE = 100
/** Entries with more characters are large. Those of the first piece may be. */
const LARGE = 4_096
/** A page ends after the entry with which it has that many characters of JSON. */
const MAX_CHARACTERS = 2 ** 21

interface Page<Id> {
  readonly after?: Id
  readonly limit: number
}

/** One page of a list, of at most `limit` entries and about 2 MB. It is made in several turns of the event loop. */
export async function listPage<Id extends string, Entry extends { readonly id: Id }, Wire, Failed>(
  { after, limit }: Page<Id>,
  list: (page: Page<Id>) => PromiseLike<Result<readonly Entry[], Failed>>,
  toWire: (entry: Entry) => Wire,
): Promise<Result<ReturnType<typeof pageOf<Wire>>, Failed>> {
  const turns = new Turns()
  const data: Wire[] = []
  let characters = 0
  let last = after
  for (;;) {
    const isLarge = data.length === 0 || characters > data.length * LARGE
    const wanted = Math.min(limit + 1 - data.length, isLarge ? LARGE_PIECE : SMALL_PIECE)
    const found = await list({ limit: wanted, ...(last === undefined ? {} : { after: last }) })
    if (found.isErr()) return err(found.error)
    for (const entry of found.value) {
      if (data.length === limit || characters >= MAX_CHARACTERS) return ok(pageOf(data, true, last))
      if (turns.isDue) await turns.next()
      const wire = toWire(entry)
      data.push(wire)
      characters += JSON.stringify(wire).length
      last = entry.id
    }
    if (found.value.length < wanted) return ok(pageOf(data, false, last))
    // SQLite's calls never yield to the event loop.
    await turns.next()
  }
}

/** Returns the answer of a list. */
export const pageOf = <Wire>(data: Wire[], hasMore: boolean, last: string | undefined) => ({
  object: 'list' as const,
  data,
  has_more: hasMore,
  last_id: data.length === 0 ? null : (last ?? null),
})
