import type { CloneToken } from '../clone-tokens/clone-token.ts'
import type { Job } from '../jobs/job.ts'
import type { Qtree } from '../qtrees/qtree.ts'
import type { QuotaRule } from '../quota-rules/quota-rule.ts'
import type { Split } from '../splits/split.ts'
import type { QuotaState, Volume, VolumeReference, VolumeState } from '../volumes/volume.ts'
import type { EnforcedLimit, QuotaNotice } from '../volumes/volume-backend.ts'

/**
 * What a storage tells its host, after it happened. Only the process that did it tells; a listener that throws disturbs
 * nothing.
 */
export interface StorageEvents {
  'clone-token.created': [CloneToken]
  /** Its lifetime ended. */
  'clone-token.expired': [CloneToken]
  /** Before its time. */
  'clone-token.deleted': [CloneToken]
  /** A clone was charged to it. */
  'clone-token.consumed': [{ readonly token: CloneToken['uuid']; readonly size: number }]
  'split.started': [Split]
  'split.progress': [Split]
  'split.done': [Split]
  /** The volume has no room now; the split goes on later. */
  'split.refused': [Split, { readonly reason: string }]
  'quota-rule.created': [QuotaRule]
  'quota-rule.modified': [QuotaRule]
  'quota-rule.deleted': [QuotaRule]
  'quota.state-changed': [VolumeReference, QuotaState]
  'quota.soft-limit-exceeded': [Volume, QuotaNotice]
  'quota.soft-limit-normal': [Volume, QuotaNotice]
  'quota.hard-limit-exceeded': [Volume, QuotaNotice]
  /** The file system appeared, or is no longer there. */
  'volume.state-changed': [VolumeReference, VolumeState]
  /** The file system did not enforce these, which were changed past the storage; it does again. */
  'quota.limits-restored': [VolumeReference, readonly EnforcedLimit[]]
  'qtree.created': [Qtree]
  'qtree.modified': [Qtree]
  'qtree.deleted': [Qtree]
  /** The file system does not have it any longer, although no one deleted it here: its limits wait. Once until it is found. */
  'qtree.missing': [VolumeReference, { readonly name: string }]
  /** The file system has a missing one again. */
  'qtree.found': [VolumeReference, { readonly name: string }]
  /** In state `success` or `failure`. */
  'job.ended': [Job]
  /** How many jobs are stored, by any process. Every 15 seconds, while there are listeners. */
  'jobs.counted': [count: number]
  /** What was older than it is kept for was removed; expired clone tokens are reported one by one. */
  'retention.removed': [kind: 'jobs', count: number]
}
