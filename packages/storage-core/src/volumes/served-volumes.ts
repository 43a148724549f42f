import type { Volume, VolumeId } from './volume.ts'
import type { VolumeBackend } from './volume-backend.ts'

/** The volumes that this process serves, which change while it runs. */
export interface ServedVolumes {
  /** Attaches a clone, and watches it as every volume. Without effect for one that is served. */
  begin(volume: Volume, backend: VolumeBackend): void
  /** Detaches a volume. Resolves when its background work has ended. Without effect for one that is not served. */
  end(volume: VolumeId): Promise<void>
}
