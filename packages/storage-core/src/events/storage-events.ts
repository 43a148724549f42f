import type { CloneToken } from '../clone-tokens/clone-token.ts'
import type { Job } from '../jobs/job.ts'
import type { Notice } from '../notices/notice.ts'
import type { Qtree } from '../qtrees/qtree.ts'
import type { QuotaRule } from '../quota-rules/quota-rule.ts'
import type { Split } from '../splits/split.ts'
import type { VolumeUsage } from '../usage-history/volume-usage.ts'
import type { QuotaState, Volume, VolumeReference, VolumeState } from '../volumes/volume.ts'
import type { EnforcedLimit, QuotaNotice } from '../volumes/volume-backend.ts'
import type { Webhook } from '../webhooks/webhook.ts'

/**
 * The events of a storage service. Each is emitted after the change, by the process that made the change. What a
 * listener throws goes to `onFault`.
 */
export interface StorageEvents {
  'clone-token.created': [CloneToken]
  /** The lifetime of the token has ended. */
  'clone-token.expired': [CloneToken]
  /** The token was deleted before the end of its lifetime. */
  'clone-token.deleted': [CloneToken]
  /** A split of `size` bytes was charged to the token. */
  'clone-token.consumed': [{ readonly token: CloneToken['uuid']; readonly size: number }]
  /** The split of a file, or of a clone that was created, was asked for and charged. It can begin. */
  'split.requested': [Split]
  /** This process begins with the split, or continues it after it had waited. */
  'split.started': [Split]
  /** A slice was copied. */
  'split.progress': [Split]
  /** The split was paused. A running slice ends before. */
  'split.paused': [Split]
  /** A paused split waits again. */
  'split.resumed': [Split]
  /** The split was cancelled, or its file was renamed, deleted or replaced. What it had left is free load again. */
  'split.cancelled': [Split]
  /** The file shares no more blocks. */
  'split.done': [Split]
  /**
   * The volume has refused a slice, for example because it is full, or the slice would take it below its floor. The
   * split is tried again after `leaseSeconds`.
   */
  'split.refused': [Split, { readonly reason: string }]
  /** The rule is stored, and not yet enforced. Not emitted for a default rule that is added with it. */
  'quota-rule.created': [QuotaRule]
  /** The limits or the user mapping are stored, and not yet enforced. */
  'quota-rule.modified': [QuotaRule]
  /** The rule is deleted, by a request or with its qtree. */
  'quota-rule.deleted': [QuotaRule]
  /** The state is the new one. */
  'quota.state-changed': [VolumeReference, QuotaState]
  /** The usage has exceeded a soft limit. */
  'quota.soft-limit-exceeded': [Volume, QuotaNotice]
  /** The usage has fallen below a soft limit again, by the hysteresis of the storage. */
  'quota.soft-limit-normal': [Volume, QuotaNotice]
  /** The usage has reached a threshold of a rule. */
  'quota.threshold-exceeded': [VolumeReference, Notice]
  /** The usage has fallen below a threshold of a rule again, by the hysteresis of the storage. */
  'quota.threshold-normal': [VolumeReference, Notice]
  /** The usage was above a soft limit for its grace period. The soft limit is enforced as hard from now on. */
  'quota.grace-ended': [VolumeReference, Notice]
  /** Quotas are on, and the file system does not enforce all of their limits. */
  'quota.enforcement-lost': [VolumeReference, Notice]
  /** The file system enforces the limits again. */
  'quota.enforcement-restored': [VolumeReference, Notice]
  /**
   * The volume has 10,000 states of exceeded limits, and further limits are not watched. Emitted when their number
   * changes.
   */
  'quota.limits-unwatched': [VolumeReference, { readonly count: number }]
  /** A hard limit has refused a write. Only for backends with `watchQuota`. */
  'quota.hard-limit-exceeded': [Volume, QuotaNotice]
  /** A clone of the second volume is served as the first. */
  'volume.cloned': [VolumeReference, VolumeReference]
  /** A clone was deleted with its files and rules. */
  'volume.deleted': [VolumeReference]
  /** The file system became available or unavailable. */
  'volume.state-changed': [VolumeReference, VolumeState]
  /** The file system had lost these limits, and enforces them again. */
  'quota.limits-restored': [VolumeReference, readonly EnforcedLimit[]]
  /** The directory of the qtree exists. */
  'qtree.created': [Qtree]
  /** The qtree has its new name and settings. */
  'qtree.modified': [Qtree]
  /** The qtree is deleted with its files and rules. */
  'qtree.deleted': [Qtree]
  /**
   * The file system has lost a qtree that was not deleted here. Its limits wait. Emitted once until the qtree is found.
   */
  'qtree.missing': [VolumeReference, { readonly name: string }]
  /** The file system has a missing qtree again. */
  'qtree.found': [VolumeReference, { readonly name: string }]
  /** The usage of a volume was recorded. `undefined` where another process has recorded this interval. */
  'usage.sampled': [Volume, VolumeUsage | undefined]
  /** A job of this process is in state `success` or `failure`. */
  'job.ended': [Job]
  /** The number of stored jobs of all processes. Emitted every 15 seconds while there are listeners. */
  'jobs.counted': [count: number]
  /** The notice is stored, and waits for its deliveries. */
  'notice.published': [Notice]
  /** The receiver has accepted the notice. */
  'webhook.delivered': [Webhook, Notice]
  /** The receiver has not accepted the notice, which is tried again unless `isFinal`. */
  'webhook.failed': [Webhook, Notice, { readonly reason: string; readonly isFinal: boolean }]
  /** Records were removed after the end of their retention. Expired clone tokens have events of their own. */
  'retention.removed': [kind: 'jobs' | 'notices' | 'self-tokens', count: number]
}
