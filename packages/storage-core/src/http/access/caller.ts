import type { NodeId } from '../../nodes/storage-node.ts'
import type { Svm, SvmId } from '../../svms/svm.ts'
import type { VolumeId } from '../../volumes/volume.ts'
import type { LinkTo } from '../links-from.ts'

/** Who calls an operation, what the caller sees, and how answers are written. */
export interface Caller {
  /** The SVM of a header. It narrows every list and is the default SVM of every body. */
  readonly svm: Svm | undefined
  /** The id of a user of the host, who owns the clone tokens that they create. Absent for all other callers. */
  readonly userId: string | undefined
  /** What a user sees of the storage. `undefined` for callers that see all of it. */
  readonly sight: Sight | undefined
  /** The path of the mount, with which every address in an answer begins. */
  readonly mountPath: string
  /** Makes the `_links` of records; absent where answers have none. */
  readonly links: LinkTo | undefined
}

/** The existing ones of the volumes that a user may use, and their SVMs and nodes, each once. */
export interface Sight {
  readonly volumes: readonly VolumeId[]
  readonly svms: readonly SvmId[]
  readonly nodes: readonly NodeId[]
}
