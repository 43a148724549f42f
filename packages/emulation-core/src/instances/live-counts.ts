import type { Emit } from '../events/create-events.ts'
import type { Kind } from '../kinds/kind.ts'

/** Counts instances that run or are suspended, and emits `instances.counted` with each change. */
export interface LiveCounts {
  countStart(kind: Kind): void
  countEnd(kind: Kind): void
}

export function createLiveCounts(emit: Emit): LiveCounts {
  const counts = new Map<Kind, number>()
  const add = (kind: Kind, difference: number) => {
    const running = (counts.get(kind) ?? 0) + difference
    counts.set(kind, running)
    emit('instances.counted', kind, running)
  }
  return { countStart: (kind) => add(kind, 1), countEnd: (kind) => add(kind, -1) }
}
