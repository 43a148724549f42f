import type { Tagged } from 'type-fest'
import type { CloneTokenId } from '../clone-tokens/clone-token.ts'
import type { NodeReference } from '../nodes/storage-node.ts'
import type { Svm } from '../svms/svm.ts'
import type { VolumeReference } from '../volumes/volume.ts'

/** A UUID unless the host supplies its own ids. */
export type SplitId = Tagged<string, 'SplitId'>

/** A clone that shares blocks with its source until they are un-shared in the background. */
export interface Split {
  readonly uuid: SplitId
  readonly svm: Svm
  readonly volume: VolumeReference
  readonly node: NodeReference
  /** Relative to the volume. */
  readonly path: string
  /** The identity that the volume backend returned for the clone. Absent before the clone exists. */
  readonly identity?: string
  /** The charged size of the clone, in bytes. */
  readonly size: number
  /** The part of the size that still counts to the node's load, in bytes. */
  readonly remaining: number
  /** The offset in the file, in bytes, at which the next slice starts. */
  readonly position: number
  /** The token that the size was charged to. */
  readonly token?: CloneTokenId
  /** The time at which the size was charged. */
  readonly startedAt: Date
}

/** The unfinished splits of one volume. */
export interface SplitStatus {
  readonly volume: VolumeReference
  readonly svm: Svm
  /** The number of files whose split is unfinished. */
  readonly pendingSplits: number
  /** The sum of their remaining sizes, in bytes. */
  readonly unsplitSize: number
}
