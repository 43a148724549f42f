import { memberNames } from './collections/wire-field.ts'
import { JOBS_PATH } from './jobs/job-records.ts'
import { QTREES_PATH } from './qtrees/qtree-records.ts'
import { ruleWireFields } from './quota-rules/rule-fields.ts'
import { RULES_PATH } from './quota-rules/rule-records.ts'
import { SELF_TOKENS_PATH } from './self/self-token-records.ts'
import { SPLIT_LOADS_PATH } from './split-loads/split-load-records.ts'
import { SPLITS_PATH } from './splits/split-records.ts'
import { TOKENS_PATH } from './tokens/token-records.ts'
import { VOLUMES_PATH } from './volumes/volume-records.ts'
import { WEBHOOKS_PATH } from './webhooks/webhook-records.ts'

/** The members of the records of each endpoint, settable or not. */
const fields: readonly (readonly [string, ReadonlySet<string>])[] = [
  [TOKENS_PATH, new Set(['node', 'uuid', 'reserve_size', 'expiry_time', '_links'])],
  [
    SPLITS_PATH,
    new Set([
      ...['uuid', 'svm', 'volume', 'node', 'path', 'size', 'state', 'order', 'bytes', 'time_left', 'reason'],
      ...['start_time', '_links'],
    ]),
  ],
  [SPLIT_LOADS_PATH, new Set(['node', 'load', '_links'])],
  [RULES_PATH, new Set([...memberNames(ruleWireFields), 'thresholds', '_links'])],
  [
    VOLUMES_PATH,
    new Set(['uuid', 'name', 'svm', 'quota', 'size', 'space', 'state', 'style', 'type', 'clone', '_links']),
  ],
  [
    QTREES_PATH,
    new Set([
      ...['svm', 'volume', 'id', 'name', 'path', 'security_style'],
      ...['unix_permissions', 'export_policy', 'user', 'group', '_links'],
    ]),
  ],
  [
    WEBHOOKS_PATH,
    new Set([
      'uuid',
      'name',
      'url',
      'kinds',
      'volumes',
      'enabled',
      'holdoff_seconds',
      'create_time',
      'secret',
      '_links',
    ]),
  ],
  [SELF_TOKENS_PATH, new Set(['uuid', 'user', 'lifetime', 'create_time', 'expiry_time', 'token', '_links'])],
  [JOBS_PATH, new Set(['uuid', 'description', 'state', 'message', 'code', '_links'])],
]

export const knownFields = (path: string): ReadonlySet<string> =>
  fields.find(([start]) => path.startsWith(start))?.[1] ?? new Set()
