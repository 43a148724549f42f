import type { Tagged } from 'type-fest'
import type { CloneTokenId } from '../clone-tokens/clone-token.ts'
import type { NodeReference } from '../nodes/storage-node.ts'
import { defineFields } from '../query/field-catalogue.ts'
import type { Svm } from '../svms/svm.ts'
import type { VolumeReference } from '../volumes/volume.ts'

/** A UUID unless the host supplies its own ids. */
export type SplitId = Tagged<string, 'SplitId'>

export const splitStates = ['waiting', 'running', 'paused'] as const

/**
 * The state of a split. After a crash, `running` stays until another worker takes over. A paused one stays paused until
 * it is resumed.
 */
export type SplitState = (typeof splitStates)[number]

/** A file that shares blocks with others until they are un-shared in the background. It no longer exists once it ends. */
export interface Split {
  readonly uuid: SplitId
  readonly svm: Svm
  readonly volume: VolumeReference
  readonly node: NodeReference
  /** Relative to the volume. */
  readonly path: string
  /** The identity that the volume backend returned for the file. Absent before a clone exists. */
  readonly identity?: string
  /** The charged size, in bytes: that of a clone, or the shared bytes of a file. */
  readonly size: number
  /** The part of the size that still counts to the node's load, in bytes. */
  readonly remaining: number
  /** The offset in the file, in bytes, at which the next slice starts. */
  readonly position: number
  /** The token that the size was charged to. */
  readonly token?: CloneTokenId
  /** The time at which the size was charged. */
  readonly startedAt: Date
  readonly state: SplitState
  /** The speed of the latest slices, in bytes per second. Absent before the first slice. */
  readonly rate?: number
  /** Why it waits, as a sentence. Absent when it only waits for its turn. */
  readonly reason?: string
}

/** The types of the fields of a split, and how they are read. */
export const splitFields = defineFields<Split>()(
  {
    uuid: { type: 'uuid', read: ({ uuid }) => uuid },
    svmUuid: { type: 'uuid', read: ({ svm }) => svm.uuid },
    svmName: { type: 'string', read: ({ svm }) => svm.name },
    volumeUuid: { type: 'uuid', read: ({ volume }) => volume.uuid },
    volumeName: { type: 'string', read: ({ volume }) => volume.name },
    nodeUuid: { type: 'uuid', read: ({ node }) => node.uuid },
    nodeName: { type: 'string', read: ({ node }) => node.name },
    path: { type: 'string', read: ({ path }) => path },
    size: { type: 'integer', read: ({ size }) => size },
    remaining: { type: 'integer', read: ({ remaining }) => remaining },
    state: { type: 'enum', values: splitStates, read: ({ state }) => state },
    reason: { type: 'string', read: ({ reason }) => reason },
    startedAt: { type: 'date', read: ({ startedAt }) => startedAt.getTime() },
  },
  ['uuid'],
)

/** The fields that queries and orders of splits can name. */
export type SplitField = keyof typeof splitFields.fields

/** The unfinished splits of one volume. */
export interface SplitStatus {
  readonly volume: VolumeReference
  readonly svm: Svm
  /** The number of files whose split is unfinished. */
  readonly pendingSplits: number
  /** The sum of their remaining sizes, in bytes. */
  readonly unsplitSize: number
}
