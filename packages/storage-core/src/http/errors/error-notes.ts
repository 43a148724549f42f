import type { JobFailureType } from '../../jobs/job.ts'
import type { StorageError } from './to-failure.ts'

/** The cause of an error and what to do, for the generated documents. */
export interface ErrorNote {
  readonly when: string
  readonly remedy: string
}

interface NoteOf<Outcome> extends ErrorNote {
  /** `{name}` stands for a value that differs from request to request. */
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
      when: 'A request to create a quota rule or a qtree does not name an SVM.',
      remedy: 'Add `svm.name`.',
    },
    'svm-not-found': {
      example: { type: 'svm-not-found', svm: '{svm}' },
      when: 'No SVM has this name or UUID, in the body or in the header `X-Dot-SVM-Name`.',
      remedy: 'List them: `GET /api/svm/svms`.',
    },
    'svm-mismatch': {
      example: { type: 'svm-mismatch', uuid: '{uuid}', name: '{name}' },
      when: 'A request names two different SVMs, by UUID and name or in the body and the header.',
      remedy: 'Give one of them.',
    },
    'volume-missing': {
      example: { type: 'volume-missing' },
      when: 'The body does not name a volume.',
      remedy: 'Add `volume.name` or `volume.uuid`.',
    },
    'volume-not-found': {
      example: { type: 'volume-not-found', volume: '{volume}' },
      when: 'The SVM has no such volume. Without an SVM: no volume, or several volumes, have the name.',
      remedy: 'List them: `GET /api/storage/volumes`.',
    },
    'volume-mismatch': {
      example: { type: 'volume-mismatch', uuid: '{uuid}', name: '{name}' },
      when: 'The UUID and the name are those of different volumes.',
      remedy: 'Give one of them.',
    },
    'volume-uuid-not-found': {
      example: { type: 'volume-uuid-not-found', volume: '{uuid}' },
      when: 'The address names a volume that does not exist.',
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
      when: 'A user rule has no users. An empty name is the default rule.',
      remedy: 'Add `users`.',
    },
    'user-name-or-id': {
      example: { type: 'user-name-or-id' },
      when: 'A user has both a name and an id, or neither.',
      remedy: 'Give one of them.',
    },
    'group-missing': {
      example: { type: 'group-missing' },
      when: 'A group rule has no group.',
      remedy: 'Add `group.name`. An empty name is the default rule.',
    },
    'group-name-or-id': {
      example: { type: 'group-name-or-id' },
      when: 'A group has both a name and an id.',
      remedy: 'Give one of them.',
    },
    'qtree-missing': {
      example: { type: 'qtree-missing' },
      when: 'A tree rule has no qtree.',
      remedy: 'Add `qtree.name`.',
    },
    'field-of-another-type': {
      example: { type: 'field-of-another-type', field: 'users', ruleType: 'tree' },
      when: 'A rule has a field of another type of rule.',
      remedy: 'Leave it out, or change `type`.',
    },
    'user-mapping-without-user': {
      example: { type: 'user-mapping-without-user' },
      when: '`user_mapping` is given for a rule that is not a user rule.',
      remedy: 'Leave it out.',
    },
    'user-mapping-without-name': {
      example: { type: 'user-mapping-without-name' },
      when: '`user_mapping` is given for a user by id.',
      remedy: 'Name the user.',
    },
    'invalid-target-name': {
      example: { type: 'invalid-target-name', field: 'qtree', name: '{name}' },
      when: 'A name has characters that users, groups or qtrees cannot have.',
      remedy: 'Correct the name.',
    },
    'too-many-users': {
      example: { type: 'too-many-users', maximum: 1000 },
      when: 'One rule has too many users.',
      remedy: 'Create several rules.',
    },
    'limit-out-of-range': {
      example: { type: 'limit-out-of-range', limit: 'spaceHard' },
      when: 'A limit is negative or above 2^63 - 1. Numbers are never rounded.',
      remedy: 'Give a limit within the range. `-1`, `"-"` and `null` mean no limit.',
    },
    'soft-limit-above-hard': {
      example: { type: 'soft-limit-above-hard', limit: 'spaceSoft' },
      when: 'After the change, the soft limit of the rule is above its hard limit.',
      remedy: 'Lower the soft limit, or raise the hard limit in the same request.',
    },
    'grace-period-out-of-range': {
      example: { type: 'grace-period-out-of-range', seconds: 0 },
      when: 'A grace period is below 1 second or above 10 years.',
      remedy: 'Give a period within the range. `"-"` and `null` mean none.',
    },
    'grace-period-without-soft-limit': {
      example: { type: 'grace-period-without-soft-limit' },
      when: 'A grace period is given for a rule without a soft limit.',
      remedy: 'Set a soft limit in the same request.',
    },
    'thresholds-without-limit': {
      example: { type: 'thresholds-without-limit' },
      when: 'Thresholds are given for a rule without limits, of which they would be percentages.',
      remedy: 'Set a limit in the same request.',
    },
    'repeated-threshold': {
      example: { type: 'repeated-threshold', percent: 80 },
      when: 'The same threshold is given twice.',
      remedy: 'Give each percentage once.',
    },
    'quota-rule-not-found': {
      example: { type: 'quota-rule-not-found', rule: '{uuid}' },
      when: 'The address names a rule that does not exist.',
      remedy: 'List them: `GET /api/storage/quota/rules`.',
    },
    'quota-rule-exists': {
      example: { type: 'quota-rule-exists' },
      when: 'Another rule of the volume has the same target or one of the users.',
      remedy: 'Change that rule with `PATCH`.',
    },
    'quota-unsupported': {
      example: { type: 'quota-unsupported', message: '{the limit, and why it cannot be enforced}' },
      when: 'The file system under the volume cannot enforce the limit. The code is not a code of ONTAP.',
      remedy: 'Give a limit that it can enforce: see the table in [quotas](../quotas.md).',
    },
    'import-line-refused': {
      example: {
        type: 'import-line-refused',
        line: 17,
        error: { type: 'soft-limit-above-hard', limit: 'spaceSoft' },
      },
      when: 'A line of an import is refused. The code is that of the mistake, and `target` names the line and the field.',
      remedy: 'Correct the line, and send the whole file again: nothing was imported.',
    },
    'import-target-repeated': {
      example: { type: 'import-target-repeated', line: 3 },
      when: 'Two lines of an import are for the same target, or share a user.',
      remedy: 'Leave one of them out.',
    },
    'import-target-overlaps': {
      example: { type: 'import-target-overlaps' },
      when: 'A line of an import has only some of the users of a rule, or more than those.',
      remedy: 'Give exactly the users of that rule, or delete it before.',
    },
    'too-many-import-targets': {
      example: { type: 'too-many-import-targets', maximum: 20_000 },
      when: 'The lines of an import name too many users, groups and qtrees together.',
      remedy: 'Send several files.',
    },
    'too-many-deletions': {
      example: { type: 'too-many-deletions', maximum: 10_000 },
      when: 'An import with `delete_missing` would delete too many rules.',
      remedy: 'Check that the file is complete. Delete rules with `DELETE` and a filter before.',
    },
    'import-conflict': {
      example: { type: 'import-conflict' },
      when: 'Others changed the same rules during each of 5 attempts to import.',
      remedy: 'Send the file again.',
    },
    'quota-report-not-found': {
      example: { type: 'quota-report-not-found', volume: '{uuid}', index: 1 },
      when: 'The report has no such record: quotas are off, or the target of the quota was deleted.',
      remedy: 'List them: `GET /api/storage/quota/reports`.',
    },
    'quota-usage-unavailable': {
      example: { type: 'quota-usage-unavailable', volume: '{volume}', reason: '{reason}' },
      when: 'The usage cannot be read: the file system is attached to another process, or is unavailable.',
      remedy: 'Send the request again. The operator checks the mount.',
    },
  },
  Qtrees: {
    'qtree-not-found': {
      example: { type: 'qtree-not-found', volume: '{uuid}', id: 1 },
      when: 'The address names a qtree that does not exist.',
      remedy: 'List them: `GET /api/storage/qtrees`.',
    },
    'qtree-exists': {
      example: { type: 'qtree-exists', name: '{name}' },
      when: 'The volume has a qtree of that name.',
      remedy: 'Choose another name.',
    },
    'qtree-name-missing': {
      example: { type: 'qtree-name-missing' },
      when: 'A qtree has no name.',
      remedy: 'Add `name`.',
    },
    'invalid-qtree-name': {
      example: { type: 'invalid-qtree-name', name: '{name}' },
      when: 'A name has a slash or a control character, is longer than 64 bytes, or is `.`, `..` or `.snapshot`.',
      remedy: 'Correct the name.',
    },
    'qtree-name-in-rules': {
      example: { type: 'qtree-name-in-rules', name: '{name}' },
      when: 'A qtree is renamed to a name that quota rules of its volume already have.',
      remedy: 'Delete those rules, or choose another name.',
    },
    'too-many-qtrees': {
      example: { type: 'too-many-qtrees' },
      when: 'The volume has 4,995 qtrees including the volume itself, the maximum of ONTAP.',
      remedy: 'Use another volume.',
    },
    'qtree-is-volume': [
      {
        example: { type: 'qtree-is-volume', action: 'delete' },
        when: 'A request to delete qtree 0.',
        remedy: 'Name another qtree.',
      },
      {
        example: { type: 'qtree-is-volume', action: 'modify' },
        when: 'A request to change qtree 0.',
        remedy: 'Name another qtree.',
      },
    ],
  },
  'Clones, tokens, splits': {
    'invalid-split-load': {
      example: { type: 'invalid-split-load', bytes: 1024 },
      when: 'A maximum is outside the range of a node.',
      remedy: 'Stay within the range.',
    },
    'split-volume-not-found': {
      example: { type: 'split-volume-not-found', volume: '{uuid}' },
      when: 'The address names a volume that does not exist.',
      remedy: 'List them: `GET /api/storage/file/clone/split-status`.',
    },
    'clone-token-not-found': {
      example: { type: 'clone-token-not-found', node: '{node}', token: '{token}' },
      when: 'The token was deleted, or its lifetime has ended.',
      remedy: 'Create another token.',
    },
    'negative-reserve': {
      example: { type: 'negative-reserve', size: -1 },
      when: 'A reservation is negative.',
      remedy: 'Reserve the size of the clone.',
    },
    'invalid-lifetime': {
      example: { type: 'invalid-lifetime', seconds: 0 },
      when: 'The lifetime of a token is out of range.',
      remedy: 'See the bounds in [clones](../clones.md).',
    },
    'split-load-exceeded': {
      example: { type: 'split-load-exceeded', node: '{node}', size: 8192, allowable: 4096 },
      when: 'A reservation is larger than the free split load of the node.',
      remedy: "Wait for splits and tokens to end, reserve less, or raise the node's maximum.",
    },
    'invalid-clone-path': {
      example: { type: 'invalid-clone-path', field: 'source', path: '{path}' },
      when: 'A path is absolute, is empty, or leads out of the volume.',
      remedy: 'Give a path relative to the volume.',
    },
    'clone-onto-itself': {
      example: { type: 'clone-onto-itself', path: '{path}' },
      when: 'Source and destination are the same file.',
      remedy: 'Choose another destination.',
    },
    'invalid-clone-range': {
      example: { type: 'invalid-clone-range', range: '{range}' },
      when: 'A range is not three numbers of blocks.',
      remedy: 'Write `source:destination:count`.',
    },
    'clone-ranges-overlap': {
      example: { type: 'clone-ranges-overlap', of: 'destination' },
      when: 'Two ranges of a request share blocks.',
      remedy: 'Separate the ranges.',
    },
    'too-many-clone-ranges': {
      example: { type: 'too-many-clone-ranges', maximum: 2000 },
      when: 'One request has too many ranges.',
      remedy: 'Send several requests.',
    },
    'token-without-split': {
      example: { type: 'token-without-split', token: '{token}' },
      when: 'A clone has a token, which reserves the load of its split, and `split` is false.',
      remedy: 'Leave out `token_uuid`, or `split`.',
    },
    'split-not-found': {
      example: { type: 'split-not-found', split: '{uuid}' },
      when: 'The split has ended or was cancelled, or never existed.',
      remedy: 'List them: `GET /api/storage/file/clone/splits`.',
    },
    'split-exists': {
      example: { type: 'split-exists', path: '{path}' },
      when: 'A request to split a file whose split is unfinished.',
      remedy: 'Find it: `GET /api/storage/file/clone/splits?path={path}`.',
    },
    'split-of-no-file': {
      example: { type: 'split-of-no-file', path: '{path}' },
      when: 'The path is that of a directory or of another entry than a file.',
      remedy: 'Give the path of a file.',
    },
    'split-over-load': {
      example: { type: 'split-over-load', node: '{node}', size: 4096 },
      when: 'The shared bytes of the file are more than the free split load of the node.',
      remedy: "Wait for splits and tokens to end, or raise the node's maximum.",
    },
    'split-token-not-found': {
      example: { type: 'split-token-not-found', node: '{node}', token: '{token}' },
      when: 'The token of a split was deleted, its lifetime has ended, or it is that of another user.',
      remedy: 'Create another token.',
    },
    'split-token-too-small': {
      example: { type: 'split-token-too-small', token: '{token}', size: 4096 },
      when: 'The token has less left than the file shares.',
      remedy: 'Create another token.',
    },
  },
  Files: {
    'invalid-file-path': {
      example: { type: 'invalid-file-path', path: '{path}' },
      when: 'A path is absolute, is empty, or leads out of the volume.',
      remedy: 'Give a path relative to the volume.',
    },
    'file-not-found': {
      example: { type: 'file-not-found', path: '{path}' },
      when: 'The volume has no such file.',
      remedy: 'Correct the path.',
    },
    'file-unavailable': {
      example: { type: 'file-unavailable', volume: '{volume}', reason: '{reason}' },
      when: 'The file system is attached to another process, or is unavailable.',
      remedy: 'Send the request to the process that serves the volume. The operator checks the mount.',
    },
  },
  Jobs: {
    'job-not-found': {
      example: { type: 'job-not-found', job: '{uuid}' },
      when: 'No job has the UUID, or the job ended longer ago than jobs are kept (5 minutes).',
      remedy: 'Read the job sooner, or raise `jobRetentionSeconds`.',
    },
    'job-ended': {
      example: { type: 'job-ended', job: '{uuid}' },
      when: 'A request to pause, resume or cancel a job that has ended.',
      remedy: 'Read the result of the job.',
    },
    'job-not-pausable': {
      example: { type: 'job-not-pausable', job: '{uuid}' },
      when: 'The job runs, and jobs of its kind cannot be paused.',
      remedy: 'Wait for its end.',
    },
    'job-not-cancellable': {
      example: { type: 'job-not-cancellable', job: '{uuid}' },
      when: 'The job has begun, and jobs of its kind cannot be stopped.',
      remedy: 'Wait for its end.',
    },
  },
  Webhooks: {
    'webhook-not-found': {
      example: { type: 'webhook-not-found', webhook: '{uuid}' },
      when: 'No webhook has the UUID.',
      remedy: 'List them: `GET /api/support/webhooks`.',
    },
    'mail-recipient-not-found': {
      example: { type: 'mail-recipient-not-found', address: '{address}' },
      when: 'No recipient of notices by e-mail has the address.',
      remedy: 'List them: `GET /api/support/mail/recipients`. The host names them.',
    },
    'too-many-webhooks': {
      example: { type: 'too-many-webhooks', maximum: 100 },
      when: 'The storage has the maximum number of webhooks.',
      remedy: 'Delete one that is no longer used, or let one receiver pass notices on.',
    },
    'invalid-webhook-url': {
      example: { type: 'invalid-webhook-url', reason: 'an http or https URL is expected' },
      when: 'The URL has another scheme, credentials, a fragment, spaces or more than 2,048 characters.',
      remedy: 'Correct the URL. A receiver recognises notices by their signature.',
    },
    'invalid-webhook-secret': {
      example: { type: 'invalid-webhook-secret' },
      when: 'The secret is too short, too long or not Base64.',
      remedy: 'Leave it out, and the answer has a new one.',
    },
    'delivery-not-found': {
      example: { type: 'delivery-not-found', webhook: '{uuid}', delivery: 7 },
      when: 'The notice was delivered, or is older than notices are kept (30 days).',
      remedy: 'List what waits: `GET /api/support/webhooks/{uuid}/deliveries`.',
    },
  },
  'Clones of volumes': {
    'invalid-volume-name': {
      example: { type: 'invalid-volume-name', name: 'a b' },
      when: 'The name has other characters than letters, digits and `_`, begins with a digit, or has more than 203.',
      remedy: 'Choose another name.',
    },
    'volume-exists': {
      example: { type: 'volume-exists', name: 'copy' },
      when: 'A volume of the SVM has the name.',
      remedy: 'Choose another name, or delete the clone that has it.',
    },
    'too-many-volume-clones': {
      example: { type: 'too-many-volume-clones', maximum: 100 },
      when: 'The storage has the maximum number of clones of volumes.',
      remedy: 'Delete one that is no longer used.',
    },
    'clone-in-other-svm': {
      example: { type: 'clone-in-other-svm', svm: 'svm2' },
      when: '`clone.parent_svm` is another SVM than that of the clone and its parent.',
      remedy: 'Leave `clone.parent_svm` out, or name the SVM of the parent in `svm` and in it.',
    },
    'volume-not-cloneable': {
      example: { type: 'volume-not-cloneable', volume: 'homes' },
      when: 'The volume is not on btrfs, the host names no directory for its clones, or another process serves it.',
      remedy: 'Name a directory: `TRIVIUM_CLONE_DIRECTORIES` of the reference server.',
    },
    'volume-not-a-clone': {
      example: { type: 'volume-not-a-clone', volume: 'homes' },
      when: 'The volume is one of the host, which only the host removes.',
      remedy: 'Delete clones only.',
    },
    'volume-in-use': {
      example: { type: 'volume-in-use', volume: 'copy' },
      when: 'Jobs of the clone have not ended.',
      remedy: 'Wait for them, or cancel them: `GET /api/cluster/jobs`.',
    },
  },
  'Self-service': {
    'self-token-not-found': {
      example: { type: 'self-token-not-found', token: '{uuid}' },
      when: 'No token of a user has the UUID, or it has expired and was removed.',
      remedy: 'List them: `GET /api/self/tokens`.',
    },
    'too-many-self-tokens': {
      example: { type: 'too-many-self-tokens', maximum: 100_000 },
      when: 'The storage has the maximum number of tokens of users.',
      remedy: 'Delete those that are no longer used, or let a proxy that knows the users state them by a header.',
    },
  },
} satisfies Readonly<Record<string, Notes>>

type MissingNotes = Exclude<
  StorageError['type'],
  { [Title in keyof typeof notes]: keyof (typeof notes)[Title] }[keyof typeof notes]
>

/** The cause and remedy of each error, in groups. The type is an error when one is missing. */
export const errorNotes: [MissingNotes] extends [never] ? typeof notes : MissingNotes = notes

/** The failures of jobs, which are also the answers to requests that waited for the job (`return_timeout`). */
export const jobFailureNotes: Readonly<Record<JobFailureType, ErrorNote>> = {
  cancelled: { when: 'The job was cancelled.', remedy: 'Send the request again if it is still needed.' },
  internal: {
    when: 'The job failed unexpectedly. The log of the host has the fault.',
    remedy: 'The operator reads the log (`onFault`).',
  },
  'quota-unsupported': {
    when: 'Quotas were to be switched on, and the file system cannot enforce one of the rules.',
    remedy: 'Remove that rule, or put the volume on another file system.',
  },
  'quota-enable-failed': {
    when: 'Quotas could not be switched on.',
    remedy: 'See the message. Send the request again.',
  },
  'quota-disable-failed': {
    when: 'Quotas could not be switched off.',
    remedy: 'See the message. Send the request again.',
  },
  'rule-created-not-resized': {
    when: 'The rule was created, and the file system refused its limit.',
    remedy: 'See the message. Switch quotas off and on.',
  },
  'rule-created-resize-skipped': {
    when: 'The rule was created, and takes effect only after a new scan.',
    remedy: 'Switch quotas off and on.',
  },
  'rule-modified-not-resized': {
    when: 'The rule was changed, and the file system keeps the old limit.',
    remedy: 'See the message. Send the request again, or switch quotas off and on.',
  },
  'rule-deleted-not-resized': {
    when: 'The rule was deleted, and the file system keeps the limit.',
    remedy: 'See the message. Switch quotas off and on.',
  },
  'rule-deleted-still-enforced': {
    when: 'The rule was deleted, and stays enforced until a new scan.',
    remedy: 'Switch quotas off and on.',
  },
  'qtree-create-failed': { when: 'The directory could not be created.', remedy: 'See the message.' },
  'qtree-rename-failed': { when: 'The directory could not be renamed or changed.', remedy: 'See the message.' },
  'volume-clone-failed': {
    when: 'The snapshots could not be made, or something else has the name in the directory of clones.',
    remedy: 'See the message.',
  },
  'volume-delete-failed': { when: 'The directory of the clone could not be deleted.', remedy: 'See the message.' },
  'qtree-delete-failed': { when: 'The directory could not be deleted.', remedy: 'See the message.' },
  'clone-failed': {
    when: 'The clone could not be created: not enough split load, an existing destination, a file system without clones, a directory above its bounds or with a split.',
    remedy: 'See the message.',
  },
  'clone-source-not-found': { when: 'The source does not exist.', remedy: 'Correct `source_path`.' },
  'clone-range-invalid': {
    when: 'A range extends past the end of the source, or the source is a directory.',
    remedy: 'Correct `range`.',
  },
}

/** The errors of requests that reach no service, and of services that fail. */
export const answerNotes = {
  'Access and addresses': {
    unauthorized: {
      when: 'The credentials of the admin are missing or wrong, or a page of another origin sent HTTP Basic.',
      remedy: 'Send the name and password of the admin.',
    },
    notPermitted: {
      when: "The host has admitted a user who is not allowed to call this operation, because it is the admin's or not among the scopes of the user.",
      remedy: 'Ask the operator of the host for the right to call it.',
    },
    tooManyPasswords: {
      when: '5 wrong admin passwords came from this address, or too many from all addresses. `Retry-After` has the seconds. The password of this request was not checked.',
      remedy: 'Wait for that time, then send the right password. From another address it is accepted immediately.',
    },
    unknownAddress: {
      when: 'No endpoint has this address.',
      remedy: 'See the API reference for the endpoints.',
    },
    methodNotAllowed: { when: 'The path exists with other methods.', remedy: 'Use a method that the message names.' },
  },
  'The request itself': {
    unknownField: {
      when: 'The endpoint does not have the filter or the field of the body.',
      remedy: 'Correct the name. `ignore_unknown_fields=true` ignores unknown filters.',
    },
    invalidParameter: { when: 'A parameter has an invalid value.', remedy: 'Correct the value.' },
    invalidFilter: {
      when: 'A filter has a value that the field cannot have.',
      remedy: 'Correct the value: see [queries](../storage.md).',
    },
    unknownSelection: { when: '`fields` has a name that no record has.', remedy: 'Leave it out, or use `fields=*`.' },
    queryWithoutFields: { when: '`query` is given without its fields.', remedy: 'Add `query_fields`.' },
    repeatedField: {
      when: 'A parameter or a field of the body is given twice, for example dotted and nested.',
      remedy: 'Send it once.',
    },
    defaultRecordsOfOne: {
      when: '`show_default_records` is given for one record.',
      remedy: 'Use it on the collection.',
    },
    missingBody: { when: 'The required body is absent or not an object.', remedy: 'Send a JSON object.' },
    missingField: { when: 'A required field is missing.', remedy: 'Add it.' },
    invalidField: {
      when: 'A field has an invalid value. The message ends with what is expected.',
      remedy: 'Correct the value.',
    },
    unexpectedArray: { when: 'An array is given where one value is expected.', remedy: 'Send the value alone.' },
    sizeOutOfRange: {
      when: 'A size has more than 63 bits, as a number or as a text.',
      remedy: 'Send a smaller size, at most 9,223,372,036,854,775,807.',
    },
    inexactNumber: {
      when: 'A parser that ran before this service has rounded a number, or the runtime of the server cannot read it exactly.',
      remedy: 'Send the size as a text: `"9007199254740993"`.',
    },
    fieldNotSettable: {
      when: 'The field exists and cannot be set in this operation.',
      remedy: 'Leave it out. To change it, delete the record and create it again.',
    },
    collectionWithoutQuery: {
      when: 'A change of a collection does not select records.',
      remedy: 'Add a filter.',
    },
    unexpectedBody: { when: 'A request without a body has one.', remedy: 'Leave the body out.' },
    malformed: { when: 'The body is not JSON.', remedy: 'Send valid JSON.' },
    tooLarge: { when: 'The body is larger than the operation allows.', remedy: 'Send a smaller body.' },
  },
  'Clones, tokens, splits': {
    partialBackup: { when: '`is_backup` is given with `range`.', remedy: 'Leave `is_backup` out.' },
    unsupportedCloneFlag: {
      when: '`is_backup` or `autodelete` is true. Neither is supported.',
      remedy: 'Leave it out.',
    },
    volumeNotSplit: {
      when: '`clone.split_initiated` of a volume is true. It is not supported.',
      remedy: 'Leave it out. The files of the clone can be split one by one.',
    },
  },
  'The server': {
    storeUnavailable: {
      when: 'The database is unavailable. Jobs wait.',
      remedy: 'Send the request again after a second.',
    },
    closed: { when: 'The server is shutting down.', remedy: 'Send the request again when the server runs.' },
    fault: {
      when: 'A fault in the server, or in a part that the host supplies.',
      remedy: 'The operator reads the log of the host (`onFault`).',
    },
  },
} satisfies Readonly<Record<string, Readonly<Record<string, ErrorNote>>>>
