import { asSentence } from '@trivium/http-contract'
import type { JobFailure, JobFailureType } from '../../jobs/job.ts'
import { codes } from './error-codes.ts'
import type { Failure, FailureStatus } from './failure.ts'

const failures: Readonly<Record<JobFailureType, readonly [FailureStatus, number]>> = {
  cancelled: [409, codes.internal],
  internal: [500, codes.internal],
  'quota-unsupported': [400, codes.notEnforceable],
  'quota-enable-failed': [409, codes.quotaStateUnavailable],
  'quota-disable-failed': [409, codes.quotaStateUnavailable],
  'rule-created-not-resized': [409, codes.createdNotResized],
  'rule-created-resize-skipped': [409, codes.createdResizeSkipped],
  'rule-modified-not-resized': [409, codes.modifiedNotResized],
  'rule-deleted-not-resized': [409, codes.deletedNotResized],
  'rule-deleted-still-enforced': [409, codes.deletedStillEnforced],
  'qtree-create-failed': [409, codes.qtreeNotCreated],
  'qtree-rename-failed': [409, codes.qtreeNotRenamed],
  'qtree-delete-failed': [409, codes.qtreeNotDeleted],
  'clone-failed': [409, codes.cloneFailed],
  'clone-source-not-found': [404, codes.fileNotFound],
  'clone-range-invalid': [400, codes.invalidRange],
  'volume-clone-failed': [409, codes.volumeNotCloned],
  'volume-delete-failed': [409, codes.volumeNotDeleted],
}

/** Returns the answer of a failed job to a request that waited for it. Its message ends with a full stop. */
export function jobFailure({ type, message }: JobFailure): Failure {
  const [status, code] = failures[type]
  return { status, code, message: asSentence(message) }
}
