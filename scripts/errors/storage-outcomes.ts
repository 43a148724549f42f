import type { JobFailureType } from '@trivium/storage-core/ports'
import type { StorageError } from '../../packages/storage-core/src/http/errors/domain-failures.ts'
import type { ToldOutcomes } from './catalogue.ts'

const PLACES = 'SVMs, volumes, nodes'
const RULES = 'Quota rules and reports'
const QTREES = 'Qtrees'
const CLONES = 'Clones, tokens, splits'
const JOBS = 'Jobs'

export const storageOutcomes: ToldOutcomes<StorageError> = {
  'svm-missing': {
    group: PLACES,
    told: [
      {
        outcome: { type: 'svm-missing' },
        when: 'A quota rule or a qtree is made, and its SVM is not named.',
        remedy: 'Add `svm.name`.',
      },
    ],
  },
  'svm-not-found': {
    group: PLACES,
    told: [
      {
        outcome: { type: 'svm-not-found', svm: '{svm}' },
        when: 'No SVM has this name or UUID, in the body or in the header `X-Dot-SVM-Name`.',
        remedy: 'List them: `GET /api/svm/svms`.',
      },
    ],
  },
  'svm-mismatch': {
    group: PLACES,
    told: [
      {
        outcome: { type: 'svm-mismatch', uuid: '{uuid}', name: '{name}' },
        when: 'Both are given and do not fit together.',
        remedy: 'Give one of them.',
      },
    ],
  },
  'volume-missing': {
    group: PLACES,
    told: [
      {
        outcome: { type: 'volume-missing' },
        when: 'The body names no volume.',
        remedy: 'Add `volume.name` or `volume.uuid`.',
      },
    ],
  },
  'volume-not-found': {
    group: PLACES,
    told: [
      {
        outcome: { type: 'volume-not-found', volume: '{volume}' },
        when: 'The SVM has no such volume; without an SVM, none or several have the name.',
        remedy: 'List them: `GET /api/storage/volumes`.',
      },
    ],
  },
  'volume-mismatch': {
    group: PLACES,
    told: [
      {
        outcome: { type: 'volume-mismatch', uuid: '{uuid}', name: '{name}' },
        when: 'Both are given and do not fit together.',
        remedy: 'Give one of them.',
      },
    ],
  },
  'volume-uuid-not-found': {
    group: PLACES,
    told: [
      {
        outcome: { type: 'volume-uuid-not-found', volume: '{uuid}' },
        when: 'The address names a volume that is not there.',
        remedy: 'List them: `GET /api/storage/volumes`.',
      },
    ],
  },
  'node-not-found': {
    group: PLACES,
    told: [
      {
        outcome: { type: 'node-not-found', node: '{node}' },
        when: 'No node has this UUID.',
        remedy: 'List them: `GET /api/cluster/nodes`.',
      },
    ],
  },
  'users-missing': {
    group: RULES,
    told: [
      {
        outcome: { type: 'users-missing' },
        when: 'A user rule without users; an empty name is the default rule.',
        remedy: 'Add `users`.',
      },
    ],
  },
  'user-name-or-id': {
    group: RULES,
    told: [
      {
        outcome: { type: 'user-name-or-id' },
        when: 'A user with both a name and an id, or with neither.',
        remedy: 'Give one of them.',
      },
    ],
  },
  'group-missing': {
    group: RULES,
    told: [
      {
        outcome: { type: 'group-missing' },
        when: 'A group rule without a group.',
        remedy: 'Add `group.name`; an empty one is the default rule.',
      },
    ],
  },
  'group-name-or-id': {
    group: RULES,
    told: [
      {
        outcome: { type: 'group-name-or-id' },
        when: 'A group with both a name and an id.',
        remedy: 'Give one of them.',
      },
    ],
  },
  'qtree-missing': {
    group: RULES,
    told: [
      {
        outcome: { type: 'qtree-missing' },
        when: 'A tree rule without a qtree.',
        remedy: 'Add `qtree.name`.',
      },
    ],
  },
  'field-of-another-type': {
    group: RULES,
    told: [
      {
        outcome: { type: 'field-of-another-type', field: 'users', ruleType: 'tree' },
        when: 'A field that rules of another type have.',
        remedy: 'Leave it out, or change `type`.',
      },
    ],
  },
  'user-mapping-without-user': {
    group: RULES,
    told: [
      {
        outcome: { type: 'user-mapping-without-user' },
        when: '`user_mapping` on a rule that is not of users.',
        remedy: 'Leave it out.',
      },
    ],
  },
  'user-mapping-without-name': {
    group: RULES,
    told: [
      {
        outcome: { type: 'user-mapping-without-name' },
        when: '`user_mapping` with a user by id.',
        remedy: 'Name the user.',
      },
    ],
  },
  'invalid-target-name': {
    group: RULES,
    told: [
      {
        outcome: { type: 'invalid-target-name', field: 'qtree', name: '{name}' },
        when: 'A name with characters that users, groups or qtrees can not have.',
        remedy: 'Mend the name.',
      },
    ],
  },
  'too-many-users': {
    group: RULES,
    told: [
      {
        outcome: { type: 'too-many-users', maximum: 1000 },
        when: 'One rule names more users than it can have.',
        remedy: 'Make several rules.',
      },
    ],
  },
  'limit-out-of-range': {
    group: RULES,
    told: [
      {
        outcome: { type: 'limit-out-of-range', limit: 'spaceHard' },
        when: 'A limit that is negative or above 2^53 - 1; numbers are never rounded.',
        remedy: 'Give a limit within the range; `-1`, `"-"` and `null` mean none.',
      },
    ],
  },
  'soft-limit-above-hard': {
    group: RULES,
    told: [
      {
        outcome: { type: 'soft-limit-above-hard', limit: 'spaceSoft' },
        when: 'The soft limit is above the hard one, of the rule as it would be after the change.',
        remedy: 'Lower it, or raise the hard limit in the same request.',
      },
    ],
  },
  'quota-rule-not-found': {
    group: RULES,
    told: [
      {
        outcome: { type: 'quota-rule-not-found', rule: '{uuid}' },
        when: 'The address names a rule that is not there.',
        remedy: 'List them: `GET /api/storage/quota/rules`.',
      },
    ],
  },
  'quota-rule-exists': {
    group: RULES,
    told: [
      {
        outcome: { type: 'quota-rule-exists' },
        when: 'A rule of the volume has the same target, or one of the users.',
        remedy: 'Change that rule with `PATCH`.',
      },
    ],
  },
  'quota-unsupported': {
    group: RULES,
    told: [
      {
        outcome: { type: 'quota-unsupported', message: '{which limit, and what can not be done}' },
        when: "The file system under the volume can't enforce the limit. The code is none of ONTAP's.",
        remedy: 'Ask for a limit that it can enforce: see the table in [quotas](../quotas.md).',
      },
    ],
  },
  'quota-report-not-found': {
    group: RULES,
    told: [
      {
        outcome: { type: 'quota-report-not-found', volume: '{uuid}', index: 1 },
        when: 'The report has no such record: quotas are off, or what it told of is gone.',
        remedy: 'List them: `GET /api/storage/quota/reports`.',
      },
    ],
  },
  'quota-usage-unavailable': {
    group: RULES,
    told: [
      {
        outcome: { type: 'quota-usage-unavailable', volume: '{volume}', reason: '{reason}' },
        when: 'The usage can not be read: no process at hand reaches the file system.',
        remedy: 'Send it again; the operator looks at the mount.',
      },
    ],
  },
  'qtree-not-found': {
    group: QTREES,
    told: [
      {
        outcome: { type: 'qtree-not-found', volume: '{uuid}', id: 1 },
        when: 'The address names a qtree that is not there.',
        remedy: 'List them: `GET /api/storage/qtrees`.',
      },
    ],
  },
  'qtree-exists': {
    group: QTREES,
    told: [
      {
        outcome: { type: 'qtree-exists', name: '{name}' },
        when: 'The volume has a qtree of that name.',
        remedy: 'Choose another name.',
      },
    ],
  },
  'qtree-name-missing': {
    group: QTREES,
    told: [{ outcome: { type: 'qtree-name-missing' }, when: 'A qtree without a name.', remedy: 'Add `name`.' }],
  },
  'invalid-qtree-name': {
    group: QTREES,
    told: [
      {
        outcome: { type: 'invalid-qtree-name', name: '{name}' },
        when: 'A name with a slash, too long, or otherwise no name of a directory.',
        remedy: 'Mend the name.',
      },
    ],
  },
  'qtree-name-in-rules': {
    group: QTREES,
    told: [
      {
        outcome: { type: 'qtree-name-in-rules', name: '{name}' },
        when: 'A qtree gets a name that quota rules of its volume have already.',
        remedy: 'Delete those rules, or choose another name.',
      },
    ],
  },
  'too-many-qtrees': {
    group: QTREES,
    told: [
      {
        outcome: { type: 'too-many-qtrees' },
        when: 'The volume has the most qtrees that ONTAP allows.',
        remedy: 'Use another volume.',
      },
    ],
  },
  'qtree-is-volume': {
    group: QTREES,
    told: [
      {
        outcome: { type: 'qtree-is-volume', action: 'delete' },
        when: 'Qtree 0 is to be deleted.',
        remedy: 'Name another.',
      },
      {
        outcome: { type: 'qtree-is-volume', action: 'modify' },
        when: 'Qtree 0 is to be changed.',
        remedy: 'Name another.',
      },
    ],
  },
  'invalid-split-load': {
    group: CLONES,
    told: [
      {
        outcome: { type: 'invalid-split-load', bytes: 1024 },
        when: 'A maximum outside what a node can have.',
        remedy: 'Stay within the range.',
      },
    ],
  },
  'split-volume-not-found': {
    group: CLONES,
    told: [
      {
        outcome: { type: 'split-volume-not-found', volume: '{uuid}' },
        when: 'The split status of a volume that is not there.',
        remedy: 'List them: `GET /api/storage/file/clone/split-status`.',
      },
    ],
  },
  'clone-token-not-found': {
    group: CLONES,
    told: [
      {
        outcome: { type: 'clone-token-not-found', node: '{node}', token: '{token}' },
        when: 'The token was deleted, or its time is over.',
        remedy: 'Make another.',
      },
    ],
  },
  'negative-reserve': {
    group: CLONES,
    told: [
      {
        outcome: { type: 'negative-reserve', size: -1 },
        when: 'A negative reservation.',
        remedy: 'Reserve what the clone will split.',
      },
    ],
  },
  'invalid-lifetime': {
    group: CLONES,
    told: [
      {
        outcome: { type: 'invalid-lifetime', seconds: 0 },
        when: 'A time that a token can not last.',
        remedy: 'See the bounds in [clones](../clones.md).',
      },
    ],
  },
  'split-load-exceeded': {
    group: CLONES,
    told: [
      {
        outcome: { type: 'split-load-exceeded', node: '{node}', size: 8192, allowable: 4096 },
        when: 'More is to be reserved than the node may still split.',
        remedy: "Wait for splits and tokens to end, ask for less, or raise the node's maximum.",
      },
    ],
  },
  'invalid-clone-path': {
    group: CLONES,
    told: [
      {
        outcome: { type: 'invalid-clone-path', field: 'source', path: '{path}' },
        when: 'A path that is absolute, empty, or leads out of the volume.',
        remedy: 'Give it relative to the volume.',
      },
    ],
  },
  'clone-onto-itself': {
    group: CLONES,
    told: [
      {
        outcome: { type: 'clone-onto-itself', path: '{path}' },
        when: 'Source and destination are the same.',
        remedy: 'Choose another destination.',
      },
    ],
  },
  'invalid-clone-range': {
    group: CLONES,
    told: [
      {
        outcome: { type: 'invalid-clone-range', range: '{range}' },
        when: 'A range that is not three numbers of blocks.',
        remedy: 'Write `source:destination:count`.',
      },
    ],
  },
  'clone-ranges-overlap': {
    group: CLONES,
    told: [
      {
        outcome: { type: 'clone-ranges-overlap', of: 'destination' },
        when: 'Two ranges of a request share blocks.',
        remedy: 'Separate them.',
      },
    ],
  },
  'too-many-clone-ranges': {
    group: CLONES,
    told: [
      {
        outcome: { type: 'too-many-clone-ranges', maximum: 2000 },
        when: 'One request has more ranges than it may have.',
        remedy: 'Send several requests.',
      },
    ],
  },
  'job-not-found': {
    group: JOBS,
    told: [
      {
        outcome: { type: 'job-not-found', job: '{uuid}' },
        when: 'No job has the UUID, or it ended longer ago than jobs are kept (5 minutes).',
        remedy: 'Ask sooner, or raise `jobRetentionSeconds`.',
      },
    ],
  },
  'job-ended': {
    group: JOBS,
    told: [
      {
        outcome: { type: 'job-ended', job: '{uuid}' },
        when: 'A job that has ended is to be paused, resumed or cancelled.',
        remedy: 'Read how it ended.',
      },
    ],
  },
  'job-not-pausable': {
    group: JOBS,
    told: [
      {
        outcome: { type: 'job-not-pausable', job: '{uuid}' },
        when: 'The job runs, and is of a kind that does not pause.',
        remedy: 'Let it end.',
      },
    ],
  },
  'job-not-cancellable': {
    group: JOBS,
    told: [
      {
        outcome: { type: 'job-not-cancellable', job: '{uuid}' },
        when: 'The job has begun, and is of a kind that can not be stopped half-way.',
        remedy: 'Let it end.',
      },
    ],
  },
}

/** What a job that failed says of itself, and what a request answers that waited for it (`return_timeout`). */
export const jobOutcomes: Readonly<Record<JobFailureType, readonly [when: string, remedy: string]>> = {
  cancelled: ['The job was cancelled.', 'Send the request again if it is wanted after all.'],
  internal: ['Something unexpected; the log of the host has it.', 'The operator looks into the log (`onFault`).'],
  'quota-unsupported': [
    'Quotas are switched on, and the file system can not enforce one of the rules.',
    'Remove that rule, or put the volume on another file system.',
  ],
  'quota-enable-failed': ['Quotas could not be switched on.', 'See the message; send it again.'],
  'quota-disable-failed': ['Quotas could not be switched off.', 'See the message; send it again.'],
  'rule-created-not-resized': [
    'The rule was made, and the file system did not take its limit.',
    'See the message; switch quotas off and on.',
  ],
  'rule-created-resize-skipped': [
    'The rule was made, and takes effect by a new scan alone.',
    'Switch quotas off and on.',
  ],
  'rule-modified-not-resized': [
    'The rule was changed, and the file system keeps the former limit.',
    'See the message; send it again, or switch quotas off and on.',
  ],
  'rule-deleted-not-resized': [
    'The rule was deleted, and the file system keeps the limit.',
    'See the message; switch quotas off and on.',
  ],
  'rule-deleted-still-enforced': [
    'The rule was deleted; its users go on under it until a scan.',
    'Switch quotas off and on.',
  ],
  'qtree-create-failed': ['The directory could not be made.', 'See the message.'],
  'qtree-rename-failed': ['The directory could not be renamed or changed.', 'See the message.'],
  'qtree-delete-failed': ['The directory could not be deleted.', 'See the message.'],
  'clone-failed': [
    'The clone could not be made: no room in the split load, a destination that exists, a file system without clones.',
    'See the message.',
  ],
  'clone-source-not-found': ['The source is not there.', 'Mend `source_path`.'],
  'clone-range-invalid': ['A range lies outside the source.', 'Mend `range`.'],
}
