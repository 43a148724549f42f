import type { BlockPool, Extent } from './block-pool.ts'

/** Frees a range of a file. @returns the remaining extents, in order */
export function punch(pool: BlockPool, extents: readonly Extent[], offset: number, length: number): readonly Extent[] {
  const end = offset + length
  return extents.flatMap((extent) => {
    if (extent.offset >= end || extent.offset + extent.length <= offset) return extent
    const kept = [slice(extent, extent.offset, offset), slice(extent, end, extent.offset + extent.length)]
    const parts = kept.flatMap((part) => part ?? [])
    for (const part of parts) pool.link(part)
    pool.unlink(extent)
    return parts
  })
}

/** The part of an extent between two offsets of its file, not linked yet. */
export function slice(extent: Extent, start: number, end: number): Extent | undefined {
  const from = Math.max(start, extent.offset)
  const to = Math.min(end, extent.offset + extent.length)
  if (to <= from) return undefined
  return { ...extent, offset: from, length: to - from, from: extent.from + from - extent.offset }
}

/** Adds linked extents, which must not overlap the others. */
export const insert = (extents: readonly Extent[], added: readonly Extent[]): readonly Extent[] =>
  [...extents, ...added].sort((left, right) => left.offset - right.offset)

/** The bytes that are not holes. */
export const allocatedBytes = (extents: readonly Extent[]): number =>
  extents.reduce((total, { length }) => total + length, 0)

/** Returns a text that is equal for files with equal contents. */
export function fingerprint(size: number, extents: readonly Extent[]): string {
  const parts: { offset: number; length: number; data: number; place: number }[] = []
  for (const { offset, length, allocation, from } of extents) {
    const place = allocation.dataOffset + from
    const last = parts.at(-1)
    if (
      last &&
      last.offset + last.length === offset &&
      last.data === allocation.data &&
      last.place + last.length === place
    ) {
      last.length += length
    } else parts.push({ offset, length, data: allocation.data, place })
  }
  return JSON.stringify([size, parts])
}
