import type { VolumeId } from './volume.ts'
import type { VolumeBackend } from './volume-backend.ts'

/** The volumes whose file systems this process reaches. */
export interface AttachedVolumes {
  attach(volume: VolumeId, backend: VolumeBackend): void
  backend(volume: VolumeId): VolumeBackend | undefined
  ids(): readonly VolumeId[]
}

export function createAttachedVolumes(): AttachedVolumes {
  const backends = new Map<VolumeId, VolumeBackend>()
  return {
    attach: (volume, backend) => {
      backends.set(volume, backend)
    },
    backend: (volume) => backends.get(volume),
    ids: () => [...backends.keys()],
  }
}
