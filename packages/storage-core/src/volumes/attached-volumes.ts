import type { SplitFloor } from '../splits/split-floor.ts'
import type { VolumeId } from './volume.ts'
import type { VolumeBackend } from './volume-backend.ts'

/** The volumes whose file systems this process reaches. */
export interface AttachedVolumes {
  attach(volume: VolumeId, backend: VolumeBackend, splitFloor: SplitFloor): void
  detach(volume: VolumeId): void
  backend(volume: VolumeId): VolumeBackend | undefined
  splitFloor(volume: VolumeId): SplitFloor | undefined
  ids(): readonly VolumeId[]
}

export function createAttachedVolumes(): AttachedVolumes {
  const attached = new Map<VolumeId, { readonly backend: VolumeBackend; readonly splitFloor: SplitFloor }>()
  return {
    attach: (volume, backend, splitFloor) => {
      attached.set(volume, { backend, splitFloor })
    },
    detach: (volume) => void attached.delete(volume),
    backend: (volume) => attached.get(volume)?.backend,
    splitFloor: (volume) => attached.get(volume)?.splitFloor,
    ids: () => [...attached.keys()],
  }
}
