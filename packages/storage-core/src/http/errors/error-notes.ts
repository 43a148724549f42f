import type { JobFailureType } from '../../jobs/job.ts'
import type { StorageError } from './to-failure.ts'

export interface ErrorNote {
  readonly when: string
  readonly remedy: string
}

interface NoteOf<Outcome> extends ErrorNote {
  /** `{name}` stands for what differs from request to request. */
  readonly example: Outcome
}

type Outcome<Type extends StorageError['type']> = Extract<StorageError, { readonly type: Type }>

type Notes = {
  readonly [Type in StorageError['type']]?: NoteOf<Outcome<Type>> | readonly NoteOf<Outcome<Type>>[]
}

const notes = {
  'SVMs, volumes, nodes': {
    'svm-missing': {
      example: { type: 'svm-missing' },
      when: 'A quota rule or a qtree is made, and its SVM is not named.',
      remedy: 'Add `svm.name`.',
    },
    'svm-not-found': {
      example: { type: 'svm-not-found', svm: '{svm}' },
      when: 'No SVM has this name or UUID, in the body or in the header `X-Dot-SVM-Name`.',
      remedy: 'List them: `GET /api/svm/svms`.',
    },
    'svm-mismatch': {
      example: { type: 'svm-mismatch', uuid: '{uuid}', name: '{name}' },
      when: 'Both are given and do not fit together.',
      remedy: 'Give one of them.',
    },
    'volume-missing': {
      example: { type: 'volume-missing' },
      when: 'The body names no volume.',
      remedy: 'Add `volume.name` or `volume.uuid`.',
    },
    'volume-not-found': {
      example: { type: 'volume-not-found', volume: '{volume}' },
      when: 'The SVM has no such volume; without an SVM, none or several have the name.',
      remedy: 'List them: `GET /api/storage/volumes`.',
    },
    'volume-mismatch': {
      example: { type: 'volume-mismatch', uuid: '{uuid}', name: '{name}' },
      when: 'Both are given and do not fit together.',
      remedy: 'Give one of them.',
    },
    'volume-uuid-not-found': {
      example: { type: 'volume-uuid-not-found', volume: '{uuid}' },
      when: 'The address names a volume that is not there.',
      remedy: 'List them: `GET /api/storage/volumes`.',
    },
    'node-not-found': {
      example: { type: 'node-not-found', node: '{node}' },
      when: 'No node has this UUID.',
      remedy: 'List them: `GET /api/cluster/nodes`.',
    },
  },
  'Quota rules and reports': {
    'users-missing': {
      example: { type: 'users-missing' },
      when: 'A user rule without users; an empty name is the default rule.',
      remedy: 'Add `users`.',
    },
    'user-name-or-id': {
      example: { type: 'user-name-or-id' },
      when: 'A user with both a name and an id, or with neither.',
      remedy: 'Give one of them.',
    },
    'group-missing': {
      example: { type: 'group-missing' },
      when: 'A group rule without a group.',
      remedy: 'Add `group.name`; an empty one is the default rule.',
    },
    'group-name-or-id': {
      example: { type: 'group-name-or-id' },
      when: 'A group with both a name and an id.',
      remedy: 'Give one of them.',
    },
    'qtree-missing': {
      example: { type: 'qtree-missing' },
      when: 'A tree rule without a qtree.',
      remedy: 'Add `qtree.name`.',
    },
    'field-of-another-type': {
      example: { type: 'field-of-another-type', field: 'users', ruleType: 'tree' },
      when: 'A field that rules of another type have.',
      remedy: 'Leave it out, or change `type`.',
    },
    'user-mapping-without-user': {
      example: { type: 'user-mapping-without-user' },
      when: '`user_mapping` on a rule that is not of users.',
      remedy: 'Leave it out.',
    },
    'user-mapping-without-name': {
      example: { type: 'user-mapping-without-name' },
      when: '`user_mapping` with a user by id.',
      remedy: 'Name the user.',
    },
    'invalid-target-name': {
      example: { type: 'invalid-target-name', field: 'qtree', name: '{name}' },
      when: 'A name with characters that users, groups or qtrees cannot have.',
      remedy: 'Mend the name.',
    },
    'too-many-users': {
      example: { type: 'too-many-users', maximum: 1000 },
      when: 'One rule names more users than it can have.',
      remedy: 'Make several rules.',
    },
    'limit-out-of-range': {
      example: { type: 'limit-out-of-range', limit: 'spaceHard' },
      when: 'A limit that is negative or above 2^53 - 1; numbers are never rounded.',
      remedy: 'Give a limit within the range; `-1`, `"-"` and `null` mean none.',
    },
    'soft-limit-above-hard': {
      example: { type: 'soft-limit-above-hard', limit: 'spaceSoft' },
      when: 'The soft limit is above the hard one, of the rule as it would be after the change.',
      remedy: 'Lower it, or raise the hard limit in the same request.',
    },
    'quota-rule-not-found': {
      example: { type: 'quota-rule-not-found', rule: '{uuid}' },
      when: 'The address names a rule that is not there.',
      remedy: 'List them: `GET /api/storage/quota/rules`.',
    },
    'quota-rule-exists': {
      example: { type: 'quota-rule-exists' },
      when: 'A rule of the volume has the same target, or one of the users.',
      remedy: 'Change that rule with `PATCH`.',
    },
    'quota-unsupported': {
      example: { type: 'quota-unsupported', message: '{which limit, and what cannot be done}' },
      when: "The file system under the volume can't enforce the limit. The code is not one of ONTAP's.",
      remedy: 'Ask for a limit that it can enforce: see the table in [quotas](../quotas.md).',
    },
    'quota-report-not-found': {
      example: { type: 'quota-report-not-found', volume: '{uuid}', index: 1 },
      when: 'The report has no such record: quotas are off, or what it reported was deleted.',
      remedy: 'List them: `GET /api/storage/quota/reports`.',
    },
    'quota-usage-unavailable': {
      example: { type: 'quota-usage-unavailable', volume: '{volume}', reason: '{reason}' },
      when: 'The usage cannot be read: no process at hand reaches the file system.',
      remedy: 'Send it again; the operator looks at the mount.',
    },
  },
  Qtrees: {
    'qtree-not-found': {
      example: { type: 'qtree-not-found', volume: '{uuid}', id: 1 },
      when: 'The address names a qtree that is not there.',
      remedy: 'List them: `GET /api/storage/qtrees`.',
    },
    'qtree-exists': {
      example: { type: 'qtree-exists', name: '{name}' },
      when: 'The volume has a qtree of that name.',
      remedy: 'Choose another name.',
    },
    'qtree-name-missing': {
      example: { type: 'qtree-name-missing' },
      when: 'A qtree without a name.',
      remedy: 'Add `name`.',
    },
    'invalid-qtree-name': {
      example: { type: 'invalid-qtree-name', name: '{name}' },
      when: 'A name with a slash, too long, or otherwise no name of a directory.',
      remedy: 'Mend the name.',
    },
    'qtree-name-in-rules': {
      example: { type: 'qtree-name-in-rules', name: '{name}' },
      when: 'A qtree gets a name that quota rules of its volume have already.',
      remedy: 'Delete those rules, or choose another name.',
    },
    'too-many-qtrees': {
      example: { type: 'too-many-qtrees' },
      when: 'The volume has the most qtrees that ONTAP allows.',
      remedy: 'Use another volume.',
    },
    'qtree-is-volume': [
      {
        example: { type: 'qtree-is-volume', action: 'delete' },
        when: 'Qtree 0 is to be deleted.',
        remedy: 'Name another.',
      },
      {
        example: { type: 'qtree-is-volume', action: 'modify' },
        when: 'Qtree 0 is to be changed.',
        remedy: 'Name another.',
      },
    ],
  },
  'Clones, tokens, splits': {
    'invalid-split-load': {
      example: { type: 'invalid-split-load', bytes: 1024 },
      when: 'A maximum outside what a node can have.',
      remedy: 'Stay within the range.',
    },
    'split-volume-not-found': {
      example: { type: 'split-volume-not-found', volume: '{uuid}' },
      when: 'The split status of a volume that is not there.',
      remedy: 'List them: `GET /api/storage/file/clone/split-status`.',
    },
    'clone-token-not-found': {
      example: { type: 'clone-token-not-found', node: '{node}', token: '{token}' },
      when: 'The token was deleted, or its time has ended.',
      remedy: 'Make another.',
    },
    'negative-reserve': {
      example: { type: 'negative-reserve', size: -1 },
      when: 'A negative reservation.',
      remedy: 'Reserve what the clone splits.',
    },
    'invalid-lifetime': {
      example: { type: 'invalid-lifetime', seconds: 0 },
      when: 'A time that a token cannot last.',
      remedy: 'See the bounds in [clones](../clones.md).',
    },
    'split-load-exceeded': {
      example: { type: 'split-load-exceeded', node: '{node}', size: 8192, allowable: 4096 },
      when: 'More is to be reserved than the node may still split.',
      remedy: "Wait for splits and tokens to end, ask for less, or raise the node's maximum.",
    },
    'invalid-clone-path': {
      example: { type: 'invalid-clone-path', field: 'source', path: '{path}' },
      when: 'A path that is absolute, empty, or leads out of the volume.',
      remedy: 'Give it relative to the volume.',
    },
    'clone-onto-itself': {
      example: { type: 'clone-onto-itself', path: '{path}' },
      when: 'Source and destination are the same.',
      remedy: 'Choose another destination.',
    },
    'invalid-clone-range': {
      example: { type: 'invalid-clone-range', range: '{range}' },
      when: 'A range that is not three numbers of blocks.',
      remedy: 'Write `source:destination:count`.',
    },
    'clone-ranges-overlap': {
      example: { type: 'clone-ranges-overlap', of: 'destination' },
      when: 'Two ranges of a request share blocks.',
      remedy: 'Separate them.',
    },
    'too-many-clone-ranges': {
      example: { type: 'too-many-clone-ranges', maximum: 2000 },
      when: 'One request has more ranges than it may have.',
      remedy: 'Send several requests.',
    },
  },
  Jobs: {
    'job-not-found': {
      example: { type: 'job-not-found', job: '{uuid}' },
      when: 'No job has the UUID, or it ended longer ago than jobs are kept (5 minutes).',
      remedy: 'Ask sooner, or raise `jobRetentionSeconds`.',
    },
    'job-ended': {
      example: { type: 'job-ended', job: '{uuid}' },
      when: 'A job that has ended is to be paused, resumed or cancelled.',
      remedy: 'Read how it ended.',
    },
    'job-not-pausable': {
      example: { type: 'job-not-pausable', job: '{uuid}' },
      when: 'The job runs, and is of a kind that does not pause.',
      remedy: 'Let it end.',
    },
    'job-not-cancellable': {
      example: { type: 'job-not-cancellable', job: '{uuid}' },
      when: 'The job has begun, and is of a kind that cannot be stopped half-way.',
      remedy: 'Let it end.',
    },
  },
} satisfies Readonly<Record<string, Notes>>

type Unnoted = Exclude<
  StorageError['type'],
  { [Title in keyof typeof notes]: keyof (typeof notes)[Title] }[keyof typeof notes]
>

/** When each error comes and what to do, in groups; the type names those that are left out. */
export const errorNotes: [Unnoted] extends [never] ? typeof notes : Unnoted = notes

/** What a job that failed says of itself, and what a request answers that waited for it (`return_timeout`). */
export const jobFailureNotes: Readonly<Record<JobFailureType, ErrorNote>> = {
  cancelled: { when: 'The job was cancelled.', remedy: 'Send the request again if it is wanted after all.' },
  internal: {
    when: 'Something unexpected; the log of the host has it.',
    remedy: 'The operator looks into the log (`onFault`).',
  },
  'quota-unsupported': {
    when: 'Quotas are switched on, and the file system cannot enforce one of the rules.',
    remedy: 'Remove that rule, or put the volume on another file system.',
  },
  'quota-enable-failed': { when: 'Quotas could not be switched on.', remedy: 'See the message; send it again.' },
  'quota-disable-failed': { when: 'Quotas could not be switched off.', remedy: 'See the message; send it again.' },
  'rule-created-not-resized': {
    when: 'The rule was made, and the file system did not take its limit.',
    remedy: 'See the message; switch quotas off and on.',
  },
  'rule-created-resize-skipped': {
    when: 'The rule was made, and takes effect by a new scan alone.',
    remedy: 'Switch quotas off and on.',
  },
  'rule-modified-not-resized': {
    when: 'The rule was changed, and the file system keeps the former limit.',
    remedy: 'See the message; send it again, or switch quotas off and on.',
  },
  'rule-deleted-not-resized': {
    when: 'The rule was deleted, and the file system keeps the limit.',
    remedy: 'See the message; switch quotas off and on.',
  },
  'rule-deleted-still-enforced': {
    when: 'The rule was deleted; its users go on under it until a scan.',
    remedy: 'Switch quotas off and on.',
  },
  'qtree-create-failed': { when: 'The directory could not be made.', remedy: 'See the message.' },
  'qtree-rename-failed': { when: 'The directory could not be renamed or changed.', remedy: 'See the message.' },
  'qtree-delete-failed': { when: 'The directory could not be deleted.', remedy: 'See the message.' },
  'clone-failed': {
    when: 'The clone could not be made: no room in the split load, a destination that exists, a file system without clones.',
    remedy: 'See the message.',
  },
  'clone-source-not-found': { when: 'The source is not there.', remedy: 'Mend `source_path`.' },
  'clone-range-invalid': { when: 'A range lies outside the source.', remedy: 'Mend `range`.' },
}

/** What is answered where no service is asked, or one fails. */
export const answerNotes = {
  'Access and addresses': {
    unauthorized: {
      when: "The admin's credentials are missing or wrong, or a page of another origin sent HTTP Basic.",
      remedy: "Send the admin's name and password.",
    },
    manyGuesses: {
      when: '5 wrong admin passwords came from this address, or too many from all; `Retry-After` has the seconds. What was presented is not looked at, right or wrong.',
      remedy: 'Wait for that time, then present the right one. From another address it is taken immediately.',
    },
    unknownAddress: {
      when: 'No endpoint has this address.',
      remedy: 'See the API reference for those that are there.',
    },
    methodNotAllowed: { when: 'The path exists, with other methods.', remedy: 'Use one that the message names.' },
  },
  'The request itself': {
    unknownField: {
      when: 'A filter, or a field of the body, that the endpoint does not know.',
      remedy: 'Mend its name; `ignore_unknown_fields=true` lets filters pass.',
    },
    invalidParameter: { when: 'A parameter with a value that it cannot have.', remedy: 'Mend the value.' },
    invalidFilter: {
      when: 'A filter with a value that the field cannot have.',
      remedy: 'Mend the value: see [queries](../storage.md).',
    },
    unknownSelection: { when: '`fields` names what no record has.', remedy: 'Leave it out, or ask for `fields=*`.' },
    queryWithoutFields: { when: '`query` without the fields that it is for.', remedy: 'Add `query_fields`.' },
    repeatedField: {
      when: 'A parameter, or a field of the body, that is there twice: dotted and nested say.',
      remedy: 'Send it once.',
    },
    defaultRecordsOfOne: { when: '`show_default_records` on one record.', remedy: 'Ask the collection.' },
    missingBody: { when: 'A body is needed, and it is absent or not an object.', remedy: 'Send one.' },
    missingField: { when: 'A field that has to be there is missing.', remedy: 'Add it.' },
    invalidField: {
      when: 'A field with a value that it cannot have; the message ends in what is expected.',
      remedy: 'Mend the value.',
    },
    unexpectedArray: { when: 'An array where one value is expected.', remedy: 'Send the value alone.' },
    inexactNumber: {
      when: 'A number that JSON cannot carry exactly.',
      remedy: 'Send it as a text with a unit, or smaller.',
    },
    fieldNotSettable: {
      when: 'A field that exists, where it cannot be set.',
      remedy: 'Leave it out; make the record anew where it must differ.',
    },
    collectionWithoutQuery: {
      when: 'A collection is to be changed without saying which of its records.',
      remedy: 'Add a filter.',
    },
    unexpectedBody: { when: 'A body on a request that can have none.', remedy: 'Leave the body out.' },
    malformed: { when: 'The body is not JSON.', remedy: 'Send valid JSON.' },
    tooLarge: { when: 'The body is larger than the operation takes.', remedy: 'Send less.' },
  },
  'Clones, tokens, splits': {
    partialBackup: { when: '`is_backup` with `range`.', remedy: 'Leave `is_backup` out.' },
    unsupportedCloneFlag: {
      when: '`is_backup` or `autodelete`, which nothing here carries out.',
      remedy: 'Leave it out.',
    },
  },
  'The server': {
    storeAway: { when: 'The database is away; jobs wait.', remedy: 'Send it again after a second.' },
    closed: { when: 'The server shuts down.', remedy: 'Send it again once the server is back.' },
    fault: {
      when: 'A fault in the server, or in a part that the host gave.',
      remedy: "The operator looks into the host's log (`onFault`).",
    },
  },
} satisfies Readonly<Record<string, Readonly<Record<string, ErrorNote>>>>
