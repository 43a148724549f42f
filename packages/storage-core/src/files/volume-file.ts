import type { Split } from '../splits/split.ts'
import type { VolumeReference } from '../volumes/volume.ts'
import type { FileStatus } from '../volumes/volume-backend.ts'

/** A file of a volume, as it is now. Sizes are in bytes. */
export interface VolumeFile {
  readonly volume: VolumeReference
  /** Relative to the volume. */
  readonly path: string
  readonly kind: FileStatus['kind']
  /** Meaningful only for files. */
  readonly size: number
  /** The bytes in blocks that no other file shares. Only for files. */
  readonly uniqueBytes?: number
  /** The bytes in blocks that other files share, in both directions: of a clone and of its source. Only for files. */
  readonly sharedBytes?: number
  /** Its unfinished split. */
  readonly split?: Split
}
