import type { Tagged } from 'type-fest'
import type { CloneTokenId } from '../clone-tokens/clone-token.ts'
import type { NodeReference } from '../nodes/storage-node.ts'
import type { Svm } from '../svms/svm.ts'
import type { VolumeReference } from '../volumes/volume.ts'

/** A UUID unless the host makes ids of its own. */
export type SplitId = Tagged<string, 'SplitId'>

/** A clone that shares blocks with its source until they are un-shared in the background. */
export interface Split {
  readonly uuid: SplitId
  readonly svm: Svm
  readonly volume: VolumeReference
  readonly node: NodeReference
  /** Relative to the volume. */
  readonly path: string
  /** What the volume backend told the file apart by when it was cloned; absent before that. */
  readonly identity?: string
  /** What the clone was charged, in bytes. */
  readonly size: number
  /** What of it the split still holds of the node's load. */
  readonly remaining: number
  /** Where in the file un-sharing goes on. */
  readonly position: number
  /** The token that the size was charged to. */
  readonly token?: CloneTokenId
  readonly startedAt: Date
}

/** What is unfinished on one volume. */
export interface SplitStatus {
  readonly volume: VolumeReference
  readonly svm: Svm
  /** Files whose split is unfinished. */
  readonly pendingSplits: number
  /** The sum of what they still hold, in bytes. */
  readonly unsplitSize: number
}
