import type { CloneTokenId } from '../clone-tokens/clone-token.ts'
import type { QtreeChange } from '../qtrees/qtree.ts'
import type { QuotaRuleId } from '../quota-rules/quota-rule.ts'
import type { SplitId } from '../splits/split.ts'
import type { VolumeId } from '../volumes/volume.ts'
import type { CloneRange, LimitTarget } from '../volumes/volume-backend.ts'

/** The task of a job, as plain JSON. To perform it twice has the effect of once. */
export type JobTask =
  | { readonly kind: 'enable-quota'; readonly volume: VolumeId }
  | { readonly kind: 'disable-quota'; readonly volume: VolumeId }
  | { readonly kind: 'restore-volume'; readonly volume: VolumeId }
  | { readonly kind: 'restore-limits'; readonly volume: VolumeId }
  | ResizeQuotaTask
  | EnforceGraceTask
  | ResizeQuotasTask
  | { readonly kind: 'create-qtree'; readonly volume: VolumeId; readonly id: number; readonly name: string }
  | UpdateQtreeTask
  | { readonly kind: 'remove-qtree'; readonly volume: VolumeId; readonly id: number; readonly name: string }
  | CloneFileTask
  | CloneVolumeTask
  | RemoveCloneTask

/** Makes a clone of a volume, which is stored. */
export interface CloneVolumeTask {
  readonly kind: 'clone-volume'
  /** The parent. */
  readonly volume: VolumeId
  readonly clone: { readonly id: VolumeId; readonly name: string }
}

/** Removes a clone of a volume with its files. */
export interface RemoveCloneTask {
  readonly kind: 'remove-clone'
  /** The parent. */
  readonly volume: VolumeId
  readonly clone: { readonly id: VolumeId; readonly name: string }
}

/** Updates what a volume enforces for one rule. */
export interface ResizeQuotaTask {
  readonly kind: 'resize-quota'
  readonly volume: VolumeId
  readonly rule: QuotaRuleId
  /** The change of the rule that the task follows. */
  readonly cause: 'created' | 'modified' | 'deleted'
}

/** Enforces soft limits as hard after their grace period, or no longer, by the stored states of the limits. */
export interface EnforceGraceTask {
  readonly kind: 'enforce-grace'
  readonly volume: VolumeId
  /** At most 500 targets whose state has changed, with the name of the user or group where it is known. */
  readonly targets: readonly { readonly target: LimitTarget; readonly name?: string }[]
}

/** Updates what a volume enforces for all of its rules. */
export interface ResizeQuotasTask {
  readonly kind: 'resize-quotas'
  readonly volume: VolumeId
}

/** Renames a qtree, or changes its settings. */
export interface UpdateQtreeTask {
  readonly kind: 'update-qtree'
  readonly volume: VolumeId
  /** The id of the qtree, from 1 to 4,994. A rename keeps it. */
  readonly id: number
  /** The name before the change. */
  readonly name: string
  readonly change: QtreeChange
}

/** Clones a file, whole or in ranges, or a directory. */
export interface CloneFileTask {
  readonly kind: 'clone-file'
  readonly volume: VolumeId
  /** The id of the split, and of the clone in the file system. */
  readonly split: SplitId
  /** Relative to the volume. */
  readonly source: string
  /** Relative to the volume. */
  readonly destination: string
  /** At least one, not overlapping. @default the whole file */
  readonly ranges?: readonly CloneRange[]
  /** Whether an existing destination is replaced or changed. */
  readonly overwrite: boolean
  /** Whether the clone is split. @default true, as for jobs of the release before the field */
  readonly splits?: boolean
  /** The token that is charged. @default the free split load of the node */
  readonly token?: CloneTokenId
  /** The id of the user whose tokens may be charged. Others count as absent. @default every token */
  readonly tokenOwnerId?: string
}
