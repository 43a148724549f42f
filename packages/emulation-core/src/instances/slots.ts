import type { SlotRange } from '../kinds/kind-definition.ts'
import { kinds } from '../kinds/kinds.ts'
import { createNumberPool, type NumberPool } from '../ports/number-pool.ts'
import type { ProjectId } from '../projects/project.ts'
import type { InstanceRecord } from './instance.ts'

type Holder = Pick<InstanceRecord, 'kind' | 'projectId' | 'slot'>

/** Keeps which slots are taken, for the kinds that have slots. */
export interface Slots {
  /** Takes the lowest free slot. @returns `none` for a kind without slots, `full` when every slot is taken */
  take(holder: Holder): number | 'none' | 'full'
  /** Takes the slot that the holder had. @returns whether it was free, or the kind has none */
  claim(holder: Holder): boolean
  restore(holder: Holder): void
  release(holder: Holder): void
  /** Frees the slots of a project whose instances were removed. */
  removeProject(projectId: ProjectId): void
}

export function createSlots(): Slots {
  const pools = new Map<string, NumberPool>()

  const poolOf = ({ kind, projectId }: Holder, { scope }: SlotRange): NumberPool => {
    const key = scope === 'server' ? kind : `${kind}/${projectId}`
    const found = pools.get(key)
    if (found) return found
    const pool = createNumberPool()
    pools.set(key, pool)
    return pool
  }

  return {
    take: (holder) => {
      const { slots } = kinds[holder.kind]
      return slots ? (poolOf(holder, slots).takeLowest(slots.first, slots.last) ?? 'full') : 'none'
    },
    claim: (holder) => {
      const { slots } = kinds[holder.kind]
      return !slots || (holder.slot !== undefined && poolOf(holder, slots).take(holder.slot))
    },
    restore: (holder) => {
      const { slots } = kinds[holder.kind]
      if (slots && holder.slot !== undefined) poolOf(holder, slots).take(holder.slot)
    },
    release: (holder) => {
      const { slots } = kinds[holder.kind]
      if (slots && holder.slot !== undefined) poolOf(holder, slots).release(holder.slot)
    },
    removeProject: (projectId) => {
      for (const kind of Object.keys(kinds)) pools.delete(`${kind}/${projectId}`)
    },
  }
}
