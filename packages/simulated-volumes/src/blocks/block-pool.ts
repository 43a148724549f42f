/** Bytes on the simulated disk that one write allocated. Extents of files refer to parts of it. */
interface Allocation {
  readonly number: number
  /** Identifies the contents. A copy has the same number. */
  readonly data: number
  /** The offset of its first byte in {@link data}. */
  readonly dataOffset: number
  readonly references: Set<Extent>
}

/** A part of a file that is not a hole, and the part of an allocation that holds it. In bytes. */
export interface Extent {
  readonly offset: number
  readonly length: number
  readonly allocation: Allocation
  /** Its offset in the allocation. */
  readonly from: number
}

/** The blocks of the disk, in bytes. A part of an allocation is free as soon as no extent refers to it. */
export interface BlockPool {
  readonly size: number
  used(): number
  allocate(contents?: Pick<Allocation, 'data' | 'dataOffset'>): Allocation
  link(extent: Extent): void
  unlink(extent: Extent): void
}

export function createBlockPool(size: number): BlockPool {
  let used = 0
  let next = 1
  const change = ({ allocation }: Extent, act: () => void) => {
    const before = covered(allocation)
    act()
    used += covered(allocation) - before
  }
  return {
    size,
    used: () => used,
    allocate: (contents) => {
      const number = next
      next += 1
      return { number, data: contents?.data ?? number, dataOffset: contents?.dataOffset ?? 0, references: new Set() }
    },
    link: (extent) => change(extent, () => extent.allocation.references.add(extent)),
    unlink: (extent) => change(extent, () => extent.allocation.references.delete(extent)),
  }
}

/** The bytes of an allocation that at least one extent refers to. */
function covered({ references }: Allocation): number {
  if (references.size < 2) return [...references][0]?.length ?? 0
  let total = 0
  let end = 0
  for (const { from, length } of [...references].sort((left, right) => left.from - right.from)) {
    const start = Math.max(from, end)
    if (from + length > start) {
      total += from + length - start
      end = from + length
    }
  }
  return total
}

/** The parts of an extent that other extents also refer to, by their offsets in the extent's file, in order. */
export function sharedParts(extent: Extent): readonly { readonly offset: number; readonly length: number }[] {
  const end = extent.from + extent.length
  const others = [...extent.allocation.references]
    .filter((other) => other !== extent && other.from < end && other.from + other.length > extent.from)
    .sort((left, right) => left.from - right.from)
  const parts: { readonly offset: number; readonly length: number }[] = []
  let reached = extent.from
  for (const other of others) {
    const from = Math.max(other.from, reached)
    const to = Math.min(other.from + other.length, end)
    if (to <= from) continue
    parts.push({ offset: extent.offset + from - extent.from, length: to - from })
    reached = to
  }
  return parts
}
