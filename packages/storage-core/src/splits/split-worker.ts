import type { Emit } from '../events/create-events.ts'
import type { PublishNotice } from '../notices/notice.ts'
import type { AttachedVolumes } from '../volumes/attached-volumes.ts'
import type { VolumeId } from '../volumes/volume.ts'
import type { VolumeBackend } from '../volumes/volume-backend.ts'
import { isVolumeRefusal } from '../volumes/volume-refusal.ts'
import type { Split } from './split.ts'
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
  /** The time that a split waits after a failure. */
  readonly retryMs: number
  readonly emit: Emit
  /** Called before a finished split is removed: a process that ends in between publishes the same id again. */
  readonly publish: PublishNotice
  readonly onFault: (error: unknown) => void
}

/** Splits clones in the background. */
export interface SplitWorker {
  /** Looks for splits now. */
  wake(): void
  /** Stops after the running slices, and leaves the rest to the next process. */
  stop(): Promise<void>
}

/** Creates a worker that un-shares clones slice by slice, one at a time on each volume. */
export function createSplitWorker(options: SplitWorkerOptions): SplitWorker {
  const { repository, attached, owner, now, emit, publish, onFault } = options
  const activeVolumes = new Map<VolumeId, Promise<void>>()
  const stopping = new AbortController()
  const { signal } = stopping
  const leaseUntil = () => new Date(now().getTime() + options.leaseMs)

  async function work(volume: VolumeId, backend: VolumeBackend): Promise<void> {
    while (!signal.aborted) {
      const claimed = await repository.claim({ owner, volumes: [volume], now: now(), leaseUntil: leaseUntil() })
      if (!claimed) return
      try {
        await unshareAll(claimed, backend)
      } catch (error) {
        if (isVolumeRefusal(error)) emit('split.refused', claimed, { reason: error.message })
        else onFault(error)
        await repository.release(claimed.uuid, owner, new Date(now().getTime() + options.retryMs))
      }
    }
  }

  async function unshareAll(claimed: Split, backend: VolumeBackend): Promise<void> {
    const file = { path: claimed.path, identity: claimed.identity ?? '' }
    let split = claimed
    while (!signal.aborted) {
      const maximum = Math.min(options.sliceSize, Math.max(split.remaining, MINIMUM_SLICE))
      const slice = await backend.unshare(file, { position: split.position, maximum, signal })
      const isDone = !slice || slice.done
      const remaining = isDone ? 0 : Math.max(1, split.remaining - slice.unshared)
      split = { ...split, remaining, position: slice?.position ?? split.position }
      const { uuid, svm, volume, path } = split
      if (isDone) await publish({ id: `split-done/${uuid}`, kind: 'split-done', at: now(), svm, volume, path })
      const progress = { owner, remaining, position: split.position, now: now(), leaseUntil: leaseUntil() }
      if (!(await repository.advance(uuid, progress))) return
      emit(isDone ? 'split.done' : 'split.progress', split)
      if (isDone) return
    }
    await repository.release(split.uuid, owner, now())
  }

  return {
    wake: () => {
      if (signal.aborted) return
      for (const volume of attached.ids()) {
        const backend = attached.backend(volume)
        if (!backend || activeVolumes.has(volume)) continue
        const settled = work(volume, backend)
          .catch(onFault)
          .finally(() => activeVolumes.delete(volume))
        activeVolumes.set(volume, settled)
      }
    },
    stop: async () => {
      stopping.abort()
      await Promise.all(activeVolumes.values())
    },
  }
}
