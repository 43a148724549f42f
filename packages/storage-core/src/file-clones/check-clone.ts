import { err, ok, type Result } from 'neverthrow'
import { filePath } from '../volumes/file-path.ts'
import { BLOCK_SIZE, type CloneRange } from '../volumes/volume-backend.ts'

/** Why the paths or ranges of a clone are refused. */
export type CloneRequestError =
  /** A path that is absolute, empty, too long, not valid Unicode, or has `..` or a NUL. */
  | { readonly type: 'invalid-clone-path'; readonly field: 'source' | 'destination'; readonly path: string }
  | { readonly type: 'clone-onto-itself'; readonly path: string }
  /** A range that is not `source:destination:count` in blocks. */
  | { readonly type: 'invalid-clone-range'; readonly range: string }
  | { readonly type: 'clone-ranges-overlap'; readonly of: 'source' | 'destination' | 'both' }
  | { readonly type: 'too-many-clone-ranges'; readonly maximum: number }

/** The most ranges of one clone. */
export const MAXIMUM_RANGES = 2000

/** The most entries below a directory that is cloned. */
export const MAXIMUM_ENTRIES = 100_000

/** The most levels of directories below one that is cloned. */
export const MAXIMUM_DEPTH = 100

/** Checks and normalizes a path in the volume: `./dir1//f2` becomes `dir1/f2`. At most 4,096 characters. */
export function checkClonePath(path: string, field: 'source' | 'destination'): Result<string, CloneRequestError> {
  const normalized = filePath(path)
  return normalized === undefined ? err({ type: 'invalid-clone-path', field, path }) : ok(normalized)
}

/** Parses at most 2,000 ranges `source:destination:count`, all in blocks of {@link BLOCK_SIZE}. */
export function checkCloneRanges(
  texts: readonly string[],
  isSameFile: boolean,
): Result<readonly CloneRange[], CloneRequestError> {
  if (texts.length > MAXIMUM_RANGES) return err({ type: 'too-many-clone-ranges', maximum: MAXIMUM_RANGES })
  const ranges: CloneRange[] = []
  for (const text of texts) {
    const [, source, destination, count] = /^(\d{1,12}):(\d{1,12}):(\d{1,12})$/.exec(text) ?? []
    if (source === undefined || destination === undefined || count === undefined || Number(count) === 0) {
      return err({ type: 'invalid-clone-range', range: text })
    }
    ranges.push({
      sourceOffset: Number(source) * BLOCK_SIZE,
      destinationOffset: Number(destination) * BLOCK_SIZE,
      length: Number(count) * BLOCK_SIZE,
    })
  }
  const sources = ranges.map(({ sourceOffset, length }) => ({ offset: sourceOffset, length }))
  const destinations = ranges.map(({ destinationOffset, length }) => ({ offset: destinationOffset, length }))
  if (overlap(sources)) return err({ type: 'clone-ranges-overlap', of: 'source' })
  if (overlap(destinations)) return err({ type: 'clone-ranges-overlap', of: 'destination' })
  if (isSameFile && overlap([...sources, ...destinations])) return err({ type: 'clone-ranges-overlap', of: 'both' })
  return ok(ranges)
}

function overlap(spans: readonly { readonly offset: number; readonly length: number }[]): boolean {
  const sorted = spans.toSorted((left, right) => left.offset - right.offset)
  return sorted.some(({ offset }, index) => {
    const before = sorted[index - 1]
    return before !== undefined && before.offset + before.length > offset
  })
}
