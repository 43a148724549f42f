import type { Scheduler } from '../scheduling/scheduler.ts'
import { pause } from '../scheduling/scheduler.ts'
import type { VolumeId } from '../volumes/volume.ts'
import type { KnownPrincipal, QuotaUsage, VolumeBackend } from '../volumes/volume-backend.ts'
import { isVolumeRefusal } from '../volumes/volume-refusal.ts'

/** What a user owns in a qtree. */
export interface TreeOwner {
  readonly user: KnownPrincipal
  readonly space: number
  readonly files?: number
}

/** Who owns the files of qtrees, by the names of the qtrees. */
export type TreeOwners = ReadonlyMap<string, readonly TreeOwner[]>

/** Finds who owns the files of the qtrees of a volume. */
export interface TreeOwnerCounts {
  /** Returns `undefined` while they are counted for the first time, and where they cannot be counted. */
  of(volume: VolumeId, backend: VolumeBackend, qtrees: readonly string[]): Promise<TreeOwners | undefined>
  /** Resolves when no volume is being counted. */
  readonly idle: () => Promise<void>
}

export interface TreeOwnersOptions {
  readonly scheduler: Scheduler
  readonly now: () => Date
  /** Aborts when the storage closes. */
  readonly closing: AbortSignal
  readonly onFault: (error: unknown) => void
}

interface Counted {
  /** The time of the last walk, also of one that failed. */
  readonly at: number
  /** Those of the last walk that succeeded. */
  readonly owners: TreeOwners | undefined
}

/** The age of a walk at which the next request starts another. */
const OLDEST_MS = 10 * 60_000
/** A request waits no longer than that for counts. */
const WAIT_MS = 1000
/** Of one volume. Those with the least space are left out. */
const MAXIMUM_OWNERS = 50_000

/**
 * Creates counts. A file system that knows its users in each qtree is asked each time. The others are walked: one at a
 * time, and not again for 10 minutes, so that users who ask often do not load the machine.
 */
export function createTreeOwners({ scheduler, now, closing, onFault }: TreeOwnersOptions): TreeOwnerCounts {
  const known = new Map<VolumeId, Counted>()
  const running = new Map<VolumeId, Promise<void>>()
  let turn = Promise.resolve()

  const count = (volume: VolumeId, backend: VolumeBackend, qtrees: readonly string[]): Promise<void> => {
    const counting = turn
      .then(async () => {
        if (closing.aborted) return
        const usage = (await backend.countTreeOwners?.(qtrees, closing)) ?? []
        known.set(volume, { at: now().getTime(), owners: byQtree(usage) })
      })
      .catch((error: unknown) => {
        if (closing.aborted) return
        // Not tried again before the time of the next walk either.
        known.set(volume, { at: now().getTime(), owners: known.get(volume)?.owners })
        onFault(error)
      })
      .finally(() => running.delete(volume))
    turn = counting
    running.set(volume, counting)
    return counting
  }

  return {
    idle: () => turn,
    async of(volume, backend, qtrees) {
      if (qtrees.length === 0) return new Map()
      if ((await backend.capabilities()).usersPerQtree) {
        return backend.usage({ qtrees }).then(byQtree, (error: unknown) => {
          if (isVolumeRefusal(error)) return undefined
          throw error
        })
      }
      const counted = known.get(volume)
      if (counted && now().getTime() - counted.at < OLDEST_MS) return counted.owners
      const counting = running.get(volume) ?? count(volume, backend, qtrees)
      if (counted?.owners) return counted.owners
      await Promise.race([counting, pause(scheduler, WAIT_MS, closing)])
      return known.get(volume)?.owners
    },
  }
}

function byQtree(usage: readonly QuotaUsage[]): TreeOwners {
  const owners = usage.flatMap(({ target, space, files }) =>
    target.kind === 'user' && target.qtree !== undefined
      ? { qtree: target.qtree, owner: { user: target.user, space, ...(files !== undefined && { files }) } }
      : [],
  )
  const largest = owners.toSorted((one, other) => other.owner.space - one.owner.space).slice(0, MAXIMUM_OWNERS)
  const trees = new Map<string, TreeOwner[]>()
  for (const { qtree, owner } of largest) {
    const known = trees.get(qtree)
    if (known) known.push(owner)
    else trees.set(qtree, [owner])
  }
  return trees
}
