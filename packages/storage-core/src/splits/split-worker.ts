import type { Emit } from '../events/create-events.ts'
import type { PublishNotice } from '../notices/notice.ts'
import type { AttachedVolumes } from '../volumes/attached-volumes.ts'
import type { VolumeId } from '../volumes/volume.ts'
import type { VolumeBackend } from '../volumes/volume-backend.ts'
import { isVolumeRefusal } from '../volumes/volume-refusal.ts'
import type { Split } from './split.ts'
import { floorBytes } from './split-floor.ts'
import type { SplitRepository } from './split-repository.ts'

/** In bytes. A file that shares more than it was charged for still makes progress. */
const MINIMUM_SLICE = 2 ** 16

export interface SplitWorkerOptions {
  readonly repository: SplitRepository
  readonly attached: AttachedVolumes
  readonly owner: string
  readonly now: () => Date
  readonly leaseMs: number
  /** The most bytes that are un-shared before the progress is recorded, in bytes. */
  readonly sliceSize: number
  /** The time that a split waits after a failure, and all splits of a volume at its floor. */
  readonly retryMs: number
  readonly emit: Emit
  /** Called before a finished split is removed: a process that ends in between publishes the same id again. */
  readonly publish: PublishNotice
  readonly onFault: (error: unknown) => void
}

/** Splits files in the background. */
export interface SplitWorker {
  /** Looks for splits now. */
  wake(): void
  /** Looks for splits now, also where the volume was at its floor. */
  retry(volume: VolumeId): void
  /** Stops after the running slices, and leaves the rest to the next process. */
  stop(): Promise<void>
}

/** Creates a worker that un-shares files slice by slice, one at a time on each volume. */
export function createSplitWorker(options: SplitWorkerOptions): SplitWorker {
  const { repository, attached, owner, now, emit, publish, onFault } = options
  const activeVolumes = new Map<VolumeId, Promise<void>>()
  /** When the volumes at their floor are looked at again. */
  const volumesAtFloor = new Map<VolumeId, Date>()
  const stopping = new AbortController()
  const { signal } = stopping
  const leaseUntil = () => new Date(now().getTime() + options.leaseMs)
  const retryAt = () => new Date(now().getTime() + options.retryMs)

  function waitsAtFloor(volume: VolumeId): boolean {
    const until = volumesAtFloor.get(volume)
    // A clock that was set back does not lengthen the wait.
    return until !== undefined && until > now() && until <= retryAt()
  }

  async function work(volume: VolumeId, backend: VolumeBackend): Promise<void> {
    while (!signal.aborted && !waitsAtFloor(volume)) {
      const claimed = await repository.claim({ owner, volumes: [volume], now: now(), leaseUntil: leaseUntil() })
      if (!claimed) return
      try {
        await unshareAll(claimed, backend)
      } catch (error) {
        const reason = isVolumeRefusal(error) ? error.message : undefined
        if (reason === undefined) onFault(error)
        else emit('split.refused', claimed, { reason })
        await repository.release(claimed.uuid, owner, { retryAt: retryAt(), ...(reason !== undefined && { reason }) })
      }
    }
  }

  async function unshareAll(claimed: Split, backend: VolumeBackend): Promise<void> {
    const file = { path: claimed.path, identity: claimed.identity ?? '' }
    let split = claimed
    let since = now()
    for (let hasStarted = false; !signal.aborted; hasStarted = true) {
      const maximum = Math.min(options.sliceSize, Math.max(split.remaining, MINIMUM_SLICE))
      const reason = await belowFloor(split.volume.uuid, backend, maximum)
      if (reason !== undefined) {
        emit('split.refused', split, { reason })
        volumesAtFloor.set(split.volume.uuid, retryAt())
        await repository.release(split.uuid, owner, { retryAt: retryAt(), reason })
        return
      }
      if (!hasStarted) emit('split.started', split)
      const slice = await backend.unshare(file, { position: split.position, maximum, signal })
      // Without a slice, the file was deleted, renamed or replaced: its split ends, and nothing is done.
      const hasEnded = !slice || slice.done
      const remaining = hasEnded ? 0 : Math.max(1, split.remaining - slice.unshared)
      const ended = now()
      const rate = rateOf(split.rate, slice?.unshared ?? 0, ended.getTime() - since.getTime())
      since = ended
      split = { ...split, remaining, position: slice?.position ?? split.position, ...(rate !== undefined && { rate }) }
      const { uuid, svm, volume, path } = split
      if (slice?.done) await publish({ id: `split-done/${uuid}`, kind: 'split-done', at: ended, svm, volume, path })
      const outcome = await repository.advance(uuid, {
        owner,
        remaining,
        position: split.position,
        ...(rate !== undefined && { rate }),
        now: ended,
        leaseUntil: leaseUntil(),
      })
      if (outcome === 'lost') return
      emit(!slice ? 'split.cancelled' : hasEnded ? 'split.done' : 'split.progress', split)
      if (hasEnded) return
      if (outcome === 'paused') break
    }
    await repository.release(split.uuid, owner, { retryAt: now() })
  }

  /** Why the next slice must wait: it would take the volume below its floor. */
  async function belowFloor(volume: VolumeId, backend: VolumeBackend, slice: number): Promise<string | undefined> {
    const floor = attached.splitFloor(volume)
    if (!floor) return undefined
    const space = await backend.space()
    const least = floorBytes(floor, space)
    // Without a floor, the file system refuses what it has no room for.
    if (least === 0 || space.available - slice >= least) return undefined
    return `The volume has ${space.available} bytes available, of which splits leave ${least} free.`
  }

  function wake(): void {
    if (signal.aborted) return
    for (const volume of attached.ids()) {
      const backend = attached.backend(volume)
      if (!backend || activeVolumes.has(volume)) continue
      const settled = work(volume, backend)
        .catch(onFault)
        .finally(() => activeVolumes.delete(volume))
      activeVolumes.set(volume, settled)
    }
  }

  return {
    wake,
    retry: (volume) => {
      volumesAtFloor.delete(volume)
      wake()
    },
    stop: async () => {
      stopping.abort()
      await Promise.all(activeVolumes.values())
    },
  }
}

/** The speed in bytes per second, in which the latest slice counts for a quarter. */
function rateOf(before: number | undefined, bytes: number, milliseconds: number): number | undefined {
  if (bytes === 0 || milliseconds <= 0) return before
  const latest = (bytes * 1000) / milliseconds
  return Math.max(1, Math.round(before === undefined ? latest : 0.75 * before + 0.25 * latest))
}
