import type { CloneToken } from '../clone-tokens/clone-token.ts'
import type { Job } from '../jobs/job.ts'
import type { Qtree } from '../qtrees/qtree.ts'
import type { QuotaRule } from '../quota-rules/quota-rule.ts'
import type { Split } from '../splits/split.ts'
import type { VolumeUsage } from '../usage-history/volume-usage.ts'
import type { QuotaState, Volume, VolumeReference, VolumeState } from '../volumes/volume.ts'
import type { EnforcedLimit, QuotaNotice } from '../volumes/volume-backend.ts'

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
  /** A clone of `size` bytes was charged to the token. */
  'clone-token.consumed': [{ readonly token: CloneToken['uuid']; readonly size: number }]
  /** A clone was created, and its split can begin. */
  'split.started': [Split]
  /** A slice was copied. */
  'split.progress': [Split]
  /** The clone shares no more blocks, or no longer exists. */
  'split.done': [Split]
  /** The volume has refused a slice, for example because it is full. The split is tried again after `leaseSeconds`. */
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
  /** The usage has fallen to or below a soft limit again. */
  'quota.soft-limit-normal': [Volume, QuotaNotice]
  /** A hard limit has refused a write. Only for backends with `watchQuota`. */
  'quota.hard-limit-exceeded': [Volume, QuotaNotice]
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
  /** Jobs were removed after the end of their retention. Expired clone tokens have events of their own. */
  'retention.removed': [kind: 'jobs', count: number]
}
