import { asSentence } from '@trivium/http-contract'
import type { CloneTokenError } from '../../clone-tokens/clone-tokens.ts'
import type { MailError } from '../../digests/mailing.ts'
import type { FileCloneError } from '../../file-clones/file-clones.ts'
import type { FileError } from '../../files/files.ts'
import type { JobError } from '../../jobs/jobs.ts'
import type { NodeError } from '../../nodes/nodes.ts'
import type { QtreeError } from '../../qtrees/qtrees.ts'
import type { QuotaReportError } from '../../quota-reports/quota-reports.ts'
import { MAXIMUM_GRACE_SECONDS } from '../../quota-rules/check-notifications.ts'
import type { QuotaLimitName } from '../../quota-rules/quota-limits.ts'
import type { QuotaRuleError } from '../../quota-rules/quota-rules.ts'
import type { ImportLineError, RuleImportError } from '../../rule-imports/rule-import.ts'
import type { SelfTokenError } from '../../self-tokens/self-tokens.ts'
import type { RequestSplitError } from '../../splits/request-split.ts'
import type { SplitError } from '../../splits/splits.ts'
import type { VolumeCloneError } from '../../volume-clones/cloned-volumes.ts'
import type { VolumeError } from '../../volumes/volumes.ts'
import type { WebhookError } from '../../webhooks/webhooks.ts'
import { wireName } from '../collections/wire-field.ts'
import { ruleWireFields } from '../quota-rules/rule-fields.ts'
import { type Failure, failure } from './failure.ts'

export type StorageError =
  | CloneTokenError
  | FileCloneError
  | ImportLineError
  | FileError
  | JobError
  | NodeError
  | QtreeError
  | QuotaReportError
  | QuotaRuleError
  | RequestSplitError
  | RuleImportError
  | SelfTokenError
  | SplitError
  | VolumeCloneError
  | VolumeError
  | WebhookError
  | MailError

type Wording = {
  readonly [Type in StorageError['type']]: (error: Extract<StorageError, { type: Type }>) => Failure
}

const limitTarget = (limit: QuotaLimitName): string => wireName(limit, ruleWireFields)

const wording: Wording = {
  'svm-missing': () => failure(400, 'svmMissing', 'Specify svm.uuid or svm.name.', 'svm'),
  'svm-not-found': ({ svm }) => failure(404, 'svmNotFound', `SVM "${svm}" does not exist.`, 'svm'),
  'svm-mismatch': ({ uuid, name }) =>
    failure(400, 'svmMismatch', `svm.uuid "${uuid}" and svm.name "${name}" belong to different SVMs.`, 'svm'),
  'volume-missing': () => failure(400, 'volumeMissing', 'Specify volume.uuid or volume.name.', 'volume'),
  'volume-not-found': ({ volume }) => failure(404, 'volumeNotFound', `Volume "${volume}" was not found.`, 'volume'),
  'volume-mismatch': ({ uuid, name }) =>
    failure(
      400,
      'volumeMismatch',
      `volume.uuid "${uuid}" and volume.name "${name}" belong to different volumes.`,
      'volume',
    ),
  'volume-uuid-not-found': () => notFound('uuid'),
  'users-missing': () => failure(400, 'usersMissing', 'A user rule needs users.', 'users'),
  'user-name-or-id': () => failure(400, 'userNameOrId', 'Each entry of users needs either a name or an id.', 'users'),
  'group-missing': () => failure(400, 'groupMissing', 'A group rule needs group.name or group.id.', 'group'),
  'group-name-or-id': () => failure(400, 'groupNameOrId', 'Specify group.name or group.id, not both.', 'group'),
  'qtree-missing': () =>
    failure(400, 'qtreeMissing', 'A tree rule needs qtree.name. An empty name is the default rule.', 'qtree.name'),
  'field-of-another-type': ({ field, ruleType }) =>
    failure(400, 'invalidContext', `A ${ruleType} rule has no ${field}.`, field),
  'user-mapping-without-user': () =>
    failure(400, 'userMappingOfUserOnly', 'Only user rules have user_mapping.', 'user_mapping'),
  'user-mapping-without-name': () =>
    failure(400, 'userMappingOfNameOnly', 'user_mapping needs a user name, not an id.', 'user_mapping'),
  'invalid-target-name': ({ field, name }) =>
    failure(
      400,
      'invalidValue',
      `"${name}" is an invalid value for field "${field}"${/^0\d+$/.test(name) ? ': numbers have no leading zeros' : ''}.`,
      field,
    ),
  'too-many-users': ({ maximum }) => failure(400, 'invalidValue', `A rule has at most ${maximum} users.`, 'users'),
  'limit-out-of-range': ({ limit }) =>
    failure(
      400,
      'outOfRange',
      `The value of "${limitTarget(limit)}" is out of range: 0 to 9223372036854775807 is allowed.`,
      limitTarget(limit),
    ),
  'soft-limit-above-hard': ({ limit }) => {
    const hard = limitTarget(limit === 'spaceSoft' ? 'spaceHard' : 'filesHard')
    return failure(
      400,
      'softAboveHard',
      `"${limitTarget(limit)}" must not be larger than "${hard}".`,
      limitTarget(limit),
    )
  },
  'grace-period-out-of-range': ({ seconds }) =>
    failure(
      400,
      'invalidValue',
      `"${seconds}" is an invalid value for field "grace_period": 1 to ${MAXIMUM_GRACE_SECONDS} seconds are allowed.`,
      'grace_period',
    ),
  'grace-period-without-soft-limit': () =>
    failure(400, 'invalidContext', '"grace_period" needs a soft limit of space or files.', 'grace_period'),
  'thresholds-without-limit': () =>
    failure(400, 'invalidContext', '"thresholds" needs a limit of space or files.', 'thresholds'),
  'repeated-threshold': ({ percent }) =>
    failure(400, 'invalidValue', `The value ${percent} of "thresholds" is given more than once.`, 'thresholds'),
  'quota-rule-not-found': () => notFound('uuid'),
  'quota-rule-exists': () => failure(409, 'exists', 'A quota rule for the same target exists on the volume.'),
  'quota-unsupported': ({ message }) => failure(400, 'notEnforceable', asSentence(message)),
  'import-line-refused': ({ line, error }) => atLine(line, toFailure(error)),
  'import-target-repeated': ({ line }) =>
    failure(400, 'repeatedField', `Line ${line} already has the target, or one of the users.`),
  'import-target-overlaps': () =>
    failure(409, 'exists', 'A quota rule of the volume has other users besides some of these.', 'users'),
  'too-many-import-targets': ({ maximum }) =>
    failure(400, 'invalidValue', `At most ${maximum} users, groups and qtrees are allowed in all lines together.`),
  'too-many-deletions': ({ maximum }) =>
    failure(400, 'invalidValue', `More than ${maximum} rules would be deleted.`, 'delete_missing'),
  'import-conflict': () =>
    failure(409, 'exists', 'Others changed the same quota rules meanwhile. Nothing was imported.'),
  'quota-report-not-found': () => notFound('index'),
  'quota-usage-unavailable': ({ volume, reason }) =>
    failure(503, 'quotaStateUnavailable', `The usage of volume "${volume}" is not available: ${reason}.`, 'volume'),
  'qtree-not-found': () => notFound('id'),
  'qtree-exists': ({ name }) => failure(409, 'exists', `A qtree "${name}" exists on the volume.`, 'name'),
  'qtree-name-missing': () => failure(400, 'qtreeNameMissing', 'A qtree needs a name.', 'name'),
  'invalid-qtree-name': ({ name }) =>
    failure(
      400,
      'invalidValue',
      `"${name}" is an invalid qtree name: at most 64 bytes without "/" and control characters are allowed.`,
      'name',
    ),
  'qtree-name-in-rules': ({ name }) =>
    failure(409, 'qtreeNotRenamed', `Quota rules of the volume already name a qtree "${name}".`, 'name'),
  'too-many-qtrees': () => failure(409, 'qtreeNotCreated', 'The volume already has the maximum number of qtrees.'),
  'qtree-is-volume': ({ action }) =>
    action === 'delete'
      ? failure(400, 'qtreeNotDeleted', 'Qtree 0 is the volume itself and cannot be deleted.', 'id')
      : failure(400, 'qtreeNotRenamed', 'Qtree 0 is the volume itself and cannot be changed.', 'id'),
  'node-not-found': ({ node }) => failure(404, 'nodeNotFound', `Node "${node}" does not exist.`, 'node.uuid'),
  'invalid-split-load': ({ bytes }) =>
    failure(
      400,
      'invalidSplitLoad',
      `The maximum split load must be from 4KB to 675TB, not ${bytes} bytes.`,
      'load.maximum',
    ),
  'split-volume-not-found': () => notFound('volume.uuid'),
  'clone-token-not-found': ({ node, token }) =>
    failure(404, 'tokenNotFound', `There is no clone token "${token}" on node "${node}".`, 'uuid'),
  'negative-reserve': () => failure(400, 'negativeReserve', 'reserve_size must not be negative.', 'reserve_size'),
  'invalid-lifetime': ({ seconds }) =>
    failure(
      400,
      'invalidValue',
      `"${seconds}" is an invalid value for field "expiry_time.limit": 1 to 315360000 seconds are allowed.`,
      'expiry_time.limit',
    ),
  'split-load-exceeded': ({ node, size, allowable }) =>
    failure(
      409,
      'tokenNotCreated',
      `Failed to create a token for node "${node}": ${size} bytes are more than the ${allowable} that its split load allows.`,
      'reserve_size',
    ),
  'invalid-clone-path': ({ field, path }) =>
    failure(
      400,
      'relativePathNeeded',
      `"${path}" is an invalid value for field "${field}_path": a relative path inside the volume is expected.`,
      `${field}_path`,
    ),
  'clone-onto-itself': () =>
    failure(400, 'cloneFailed', 'source_path and destination_path must not be the same file.', 'destination_path'),
  'invalid-clone-range': ({ range }) =>
    failure(400, 'invalidRange', `"${range}" is not a range in blocks of the form source:destination:count.`, 'range'),
  'clone-ranges-overlap': ({ of }) => failure(400, 'invalidRange', `The ranges overlap in ${overlaps[of]}.`, 'range'),
  'too-many-clone-ranges': ({ maximum }) =>
    failure(400, 'invalidRange', `At most ${maximum} ranges are allowed.`, 'range'),
  'webhook-not-found': () => notFound('uuid'),
  'mail-recipient-not-found': () => notFound('address'),
  'too-many-webhooks': ({ maximum }) => failure(409, 'tooManyWebhooks', `A storage has at most ${maximum} webhooks.`),
  'invalid-webhook-url': ({ reason }) =>
    failure(400, 'invalidValue', `The value is invalid for field "url": ${reason}.`, 'url'),
  'invalid-webhook-secret': () =>
    failure(
      400,
      'invalidValue',
      'The value is invalid for field "secret": "whsec_" and the Base64 of 16 to 64 bytes are expected.',
      'secret',
    ),
  'delivery-not-found': () => notFound('index'),
  'invalid-volume-name': ({ name }) =>
    failure(
      400,
      'invalidValue',
      `"${name}" is an invalid value for field "name": a letter or "_", and at most 202 letters, digits and "_" are expected.`,
      'name',
    ),
  'volume-exists': ({ name }) => failure(409, 'exists', `A volume "${name}" exists in the SVM.`, 'name'),
  'too-many-volume-clones': ({ maximum }) =>
    failure(409, 'volumeNotCloned', `A storage has at most ${maximum} clones of volumes.`),
  'clone-in-other-svm': ({ svm }) =>
    failure(
      400,
      'volumeNotCloned',
      `The parent is not in the SVM "${svm}". A clone is in the SVM of its parent.`,
      'clone.parent_svm',
    ),
  'volume-not-cloneable': ({ volume }) =>
    failure(400, 'volumeNotCloned', `The volume "${volume}" cannot be cloned here.`, 'clone.parent_volume'),
  'volume-not-a-clone': ({ volume }) =>
    failure(400, 'volumeNotDeleted', `The volume "${volume}" is not a clone. Only clones are deleted.`, 'uuid'),
  'volume-in-use': ({ volume }) =>
    failure(409, 'volumeNotDeleted', `Jobs of the volume "${volume}" have not ended.`, 'uuid'),
  'self-token-not-found': () => notFound('uuid'),
  'too-many-self-tokens': ({ maximum }) =>
    failure(409, 'tooManySelfTokens', `A storage has at most ${maximum} tokens of users.`),
  'token-without-split': () =>
    failure(
      400,
      'invalidValue',
      '"false" is an invalid value for field "split": a clone with a token is split.',
      'split',
    ),
  'split-not-found': () => notFound('uuid'),
  'split-of-no-file': ({ path }) => failure(400, 'cloneFailed', `"${path}" is not a file.`, 'path'),
  'split-exists': ({ path }) => failure(409, 'exists', `The file "${path}" is being split already.`, 'path'),
  'split-over-load': ({ node }) => failure(409, 'cloneFailed', `Node "${node}" is at its maximum split load (EBUSY).`),
  'split-token-not-found': ({ node, token }) =>
    failure(404, 'tokenNotFound', `There is no clone token "${token}" on node "${node}".`, 'token_uuid'),
  'split-token-too-small': ({ token, size }) =>
    failure(409, 'cloneFailed', `Clone token "${token}" has less than ${size} bytes left (EBUSY).`, 'token_uuid'),
  'invalid-file-path': ({ path }) =>
    failure(
      400,
      'relativePathNeeded',
      `"${path}" is an invalid value for field "path": a relative path inside the volume is expected.`,
      'path',
    ),
  'file-not-found': ({ path }) => failure(404, 'fileNotFound', `The file "${path}" does not exist.`, 'path'),
  'file-unavailable': ({ volume, reason }) =>
    failure(503, 'internal', `The files of volume "${volume}" are not available: ${reason}.`, 'volume'),
  'job-not-found': () => notFound('uuid'),
  'job-ended': () => failure(409, 'jobEnded', 'The job has already ended.', 'uuid'),
  'job-not-pausable': () => failure(409, 'jobNotPausable', 'The job cannot be paused while it runs.', 'uuid'),
  'job-not-cancellable': () => failure(409, 'jobNotCancellable', 'The job can no longer be cancelled.', 'uuid'),
}

const overlaps = { source: 'the source', destination: 'the destination', both: 'source and destination' } as const

export const notFound = (target: string): Failure => failure(404, 'notFound', "entry doesn't exist", target)

/** Names the line of an import in a failure. */
export const atLine = (line: number, { message, target, ...rest }: Failure): Failure => ({
  ...rest,
  message: `Line ${line}: ${message}`,
  target: target === undefined ? `line ${line}` : `line ${line}: ${target}`,
})

/** Returns the failure of any error of the services. */
export function toFailure(error: StorageError): Failure {
  // Each entry of the table takes the errors of its own type.
  const word = wording[error.type] as (error: StorageError) => Failure
  return word(error)
}
