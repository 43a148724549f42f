import type { QuotaLimitName } from '../quota-rules/quota-limits.ts'
import type { QuotaRuleId } from '../quota-rules/quota-rule.ts'
import type { Size } from '../sizes/size.ts'
import type { Svm } from '../svms/svm.ts'
import type { VolumeReference } from '../volumes/volume.ts'
import type { KnownPrincipal, LimitTarget } from '../volumes/volume-backend.ts'

/** What has happened. `test` is sent on request, to try a receiver. */
export const noticeKinds = [
  'soft-limit-exceeded',
  'soft-limit-normal',
  'threshold-exceeded',
  'threshold-normal',
  'grace-ended',
  'enforcement-lost',
  'enforcement-restored',
  'split-done',
  'test',
] as const

export type NoticeKind = (typeof noticeKinds)[number]

/** An occurrence that operators want to be notified of. */
export interface Notice {
  /** 1 to 128 characters, the same for the same occurrence. A second publication of an id is without effect. */
  readonly id: string
  readonly kind: NoticeKind
  readonly at: Date
  readonly svm?: Svm
  readonly volume?: VolumeReference
  /** The rule whose limit it is. Absent for volumes and splits. */
  readonly rule?: QuotaRuleId
  readonly target?: LimitTarget
  /** The user or group, where the target is every user or every group. */
  readonly principal?: KnownPrincipal
  readonly limit?: QuotaLimitName
  /** The threshold, in percent of the limit. */
  readonly percent?: number
  /** In bytes or files, as the limit. */
  readonly used?: number
  /** The limit, in bytes or files. */
  readonly allowed?: Size
  /** When the soft limit becomes hard. Absent without a grace period. */
  readonly graceEndsAt?: Date
  /** The file of a split, relative to the volume. */
  readonly path?: string
  /** Why enforcement was lost: a sentence. */
  readonly reason?: string
}

/** Stores a notice, from which it is delivered. Resolves when it is stored. Rejects when the store fails. */
export type PublishNotice = (notice: Notice) => Promise<void>
