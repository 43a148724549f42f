import type { Generated, Selectable } from 'kysely'
import type { StoredSize } from './stored-size.ts'

/** The tables of storage. Times are milliseconds since 1970, booleans 0 and 1, sizes bytes. */
export type StorageTables = {
  storage_nodes: NodeRow
  storage_svms: SvmRow
  storage_volumes: VolumeRow
  storage_qtrees: QtreeRow
  storage_quota_rules: QuotaRuleRow
  storage_quota_rule_users: QuotaRuleUserRow
  storage_quota_rule_keys: QuotaRuleKeyRow
  storage_enforced_quotas: EnforcedQuotaRow
  storage_limit_states: LimitStateRow
  storage_clone_tokens: CloneTokenRow
  storage_splits: SplitRow
  storage_jobs: JobTable
  storage_locks: LockRow
  storage_notices: NoticeTable
  storage_webhooks: WebhookRow
  storage_deliveries: DeliveryRow
  storage_mail_recipients: MailRecipientRow
  storage_usage_volumes: UsageVolumeTable
  storage_usage_targets: UsageTargetRow
  storage_usage_points: UsagePointRow
  storage_self_tokens: SelfTokenRow
}

export interface SelfTokenRow {
  uuid: string
  /** The SHA-256 of the secret, in hexadecimal digits. */
  hash: string
  /** Either the name or the id is set. */
  user_name: string | null
  user_id: string | null
  created_at: number
  expires_at: number
}

export interface NodeRow {
  uuid: string
  name: string
  split_load_maximum: number
}

export interface SvmRow {
  uuid: string
  name: string
}

export interface VolumeRow {
  uuid: string
  name: string
  svm_uuid: string
  svm_name: string
  node_uuid: string
  node_name: string
  state: string
  quota_state: string
  grace_period_seconds: number | null
  /** Of a clone. */
  parent_uuid: string | null
  parent_name: string | null
  mount_point: string | null
}

export interface QtreeRow {
  volume_uuid: string
  id: number
  volume_name: string
  svm_uuid: string
  svm_name: string
  name: string
  security_style: string
  unix_permissions: number
  export_policy: string
}

export interface QuotaRuleRow {
  uuid: string
  svm_uuid: string
  svm_name: string
  volume_uuid: string
  volume_name: string
  type: string
  /** JSON of a user rule's users, in their order. Queries read `storage_quota_rule_users`. */
  users: string | null
  group_name: string | null
  group_id: string | null
  qtree_name: string | null
  qtree_id: number | null
  user_mapping: number | null
  space_hard: StoredSize | null
  space_soft: StoredSize | null
  files_hard: StoredSize | null
  files_soft: StoredSize | null
  grace_period_seconds: number | null
  /** JSON of the percentages. */
  thresholds: string | null
}

/** A user of a user rule. Either `name` or `id` is set. */
export interface QuotaRuleUserRow {
  rule_uuid: string
  position: number
  name: string | null
  id: string | null
}

/** A user, group or qtree of a volume that has a rule. Unique. */
export interface QuotaRuleKeyRow {
  volume_uuid: string
  /** SHA-256 of the target key, which is too long for an index. */
  key_hash: string
  rule_uuid: string
}

export interface EnforcedQuotaRow {
  volume_uuid: string
  rule_uuid: string
  /** All other fields of the quota as JSON. */
  document: string
}

export interface LimitStateRow {
  volume_uuid: string
  /** SHA-256 of the subject's key, which is too long for an index. */
  key_hash: string
  sequence: number
  /** All other fields of the state as JSON. */
  document: string
}

export interface CloneTokenRow {
  uuid: string
  node_uuid: string
  node_name: string
  reserve_size: number
  lifetime_seconds: number
  expires_at: number
  owner_id: string | null
}

export interface SplitRow {
  uuid: string
  svm_uuid: string
  svm_name: string
  volume_uuid: string
  volume_name: string
  node_uuid: string
  node_name: string
  path: string
  identity: string | null
  size: number
  remaining: number
  position: number
  token: string | null
  started_at: number
  owner: string | null
  /** When others may claim the split: the end of a lease, or of the wait before a retry. */
  free_at: number
  state: string
  /** The order of the splits of a volume. */
  place: number
  /** In bytes per second. */
  rate: number | null
  reason: string | null
}

interface JobTable {
  /** The order of insertion, assigned by the database. */
  number: Generated<number>
  uuid: string
  description: string
  /** The task as JSON. */
  task: string
  lane: string
  /** The volume of the task. Null for jobs of the release before the column. */
  volume_uuid: string | null
  svm_uuid: string
  svm_name: string
  node_uuid: string
  node_name: string
  state: string
  done: number | null
  total: number | null
  failure_type: string | null
  message: string | null
  started_at: number | null
  ended_at: number | null
  owner: string | null
  lease_until: number | null
  command: string | null
}

export type JobRow = Selectable<JobTable>

interface NoticeTable {
  /** The order of publication, assigned by the database. */
  number: Generated<number>
  id: string
  kind: string
  at: number
  svm_uuid: string | null
  svm_name: string | null
  volume_uuid: string | null
  volume_name: string | null
  /** The notice as JSON. */
  document: string
}

export type NoticeRow = Selectable<NoticeTable>

export interface WebhookRow {
  uuid: string
  /** The webhook as JSON. */
  document: string
  secret: string
  enabled: number
  owner: string | null
  lease_until: number
  /** When a retry may be made. 0 without a failed try. */
  retry_at: number
}

export interface DeliveryRow {
  webhook_uuid: string
  notice_number: number
  notice_id: string
  kind: string
  state: string
  holdoff_group: string | null
  due_at: number
  tries: number
  tried_at: number | null
  status: number | null
  failure: string | null
}

export interface MailRecipientRow {
  recipient: string
  /** The number of the last notice that was sent. */
  after_number: number
  /** The last notice of the digest that is not sent yet. */
  until_number: number | null
  owner: string | null
  lease_until: number
  retry_at: number
}

/** A named lock, which the transaction holds that locks the row. */
export interface LockRow {
  name: string
}

interface UsageVolumeTable {
  number: Generated<number>
  uuid: string
  /** The start of the interval whose sample was claimed last. */
  claimed_at: number | null
}

/** A target of quotas, or -1 for the volume itself. */
export interface UsageTargetRow {
  /** The number of the volume. */
  volume: number
  /** The index of the report. */
  target: number
  /** Unique in the volume. 64 positions are a block. */
  position: number
  /** The start of the last day with a sample. */
  seen_at: number
}

export interface UsagePointRow {
  /** The number of the volume. */
  volume: number
  /** The place of the resolution in `usageResolutions`. */
  resolution: number
  block: number
  /** The start of the interval. */
  at: number
  seconds: number
  /** The amounts of the targets of the block, in their order. */
  amounts: string
}
