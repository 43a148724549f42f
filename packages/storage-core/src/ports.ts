export type { CloneTokenField, CloneTokenId } from './clone-tokens/clone-token.ts'
export { cloneTokenFields } from './clone-tokens/clone-token.ts'
export type { CloneTokenRepository } from './clone-tokens/clone-token-repository.ts'
export type { ClaimDigest, Digest, DigestRepository } from './digests/digest-repository.ts'
export type { JobFailure, JobFailureType, JobField, JobId, JobProgress, JobState } from './jobs/job.ts'
export { jobFields } from './jobs/job.ts'
export type { ClaimJob, JobCommand, JobEnd, JobRepository, JobStep } from './jobs/job-repository.ts'
export type {
  CloneFileTask,
  EnforceGraceTask,
  JobTask,
  ResizeQuotasTask,
  ResizeQuotaTask,
  UpdateQtreeTask,
} from './jobs/job-task.ts'
export type { LimitState, LimitSubject, QuotaSubject } from './limit-states/limit-state.ts'
export { subjectKey } from './limit-states/limit-state.ts'
export type { LimitStateRepository } from './limit-states/limit-state-repository.ts'
export type { GaugeValue, MetricDefinition, MetricLabels, MetricsRecorder } from './metrics/metrics-recorder.ts'
export { storageMetrics } from './metrics/storage-metrics.ts'
export type { NodeRepository } from './nodes/node-repository.ts'
export type { NodeId, NodeReference, SplitLoad } from './nodes/storage-node.ts'
export type { PublishNotice } from './notices/notice.ts'
export { noticeKinds } from './notices/notice.ts'
export type { NoticeRepository } from './notices/notice-repository.ts'
export type { NoticeField } from './notices/stored-notice.ts'
export { noticeFields } from './notices/stored-notice.ts'
export type { QtreeChange, QtreeField, SecurityStyle } from './qtrees/qtree.ts'
export { MAXIMUM_QTREES, qtreeFields } from './qtrees/qtree.ts'
export type { QtreeRepository } from './qtrees/qtree-repository.ts'
export { compareValues } from './query/compare-values.ts'
export { compileQuery } from './query/compile-query.ts'
export type { Field, FieldCatalogue, FieldType, FieldValue } from './query/field-catalogue.ts'
export type { OrderBy, Page, PageRequest, Position } from './query/page.ts'
export { fullOrder } from './query/page.ts'
export { comparePositions, pageInMemory, positionOf } from './query/page-in-memory.ts'
export type { Clause, CompareOperator, Condition, Query, Term } from './query/query.ts'
export { everything } from './query/query.ts'
export { softLimitAboveHard } from './quota-rules/check-limits.ts'
export type { QuotaLimitName, QuotaLimits, QuotaLimitsChange } from './quota-rules/quota-limits.ts'
export type { QuotaRuleField, QuotaRuleId } from './quota-rules/quota-rule.ts'
export { quotaRuleFields } from './quota-rules/quota-rule.ts'
export type { QuotaRuleChange } from './quota-rules/quota-rule-change.ts'
export { changeRule } from './quota-rules/quota-rule-change.ts'
export type { QuotaRuleBatch, QuotaRuleRepository } from './quota-rules/quota-rule-repository.ts'
export type { GroupTarget, Principal, QuotaTarget, TreeTarget, UserTarget } from './quota-rules/quota-target.ts'
export { targetKeys } from './quota-rules/quota-target.ts'
export { isSameRule } from './quota-rules/same-rule.ts'
export type { EnforcedQuota } from './quotas/enforced-quota.ts'
export type { EnforcedQuotaRepository, EnforcedQuotasChange } from './quotas/enforced-quota-repository.ts'
export type { Scheduler } from './scheduling/scheduler.ts'
export type { SelfTokenField, SelfTokenId } from './self-tokens/self-token.ts'
export { selfTokenFields, textOfUser, userOfText } from './self-tokens/self-token.ts'
export type { SelfTokenRepository } from './self-tokens/self-token-repository.ts'
export type { Size } from './sizes/size.ts'
export { isSize, sizeOf, toSize } from './sizes/size.ts'
export type { SplitField, SplitId, SplitState, SplitStatus } from './splits/split.ts'
export { splitFields } from './splits/split.ts'
export type { ClaimSplit, ReleaseSplit, SplitProgress, SplitRepository } from './splits/split-repository.ts'
export type { StorageRepositories } from './storage-repositories.ts'
export type { SvmId } from './svms/svm.ts'
export type { SvmRepository } from './svms/svm-repository.ts'
export type { UsageClaim, UsageHistoryRepository, UsageRequest } from './usage-history/usage-history-repository.ts'
export type { UsageAmounts, UsagePoint, UsageResolution, UsageSample } from './usage-history/usage-point.ts'
export { addSample, intervalsOf, usageResolutions } from './usage-history/usage-point.ts'
export type { QuotaState, VolumeField, VolumeId, VolumeReference, VolumeState } from './volumes/volume.ts'
export { volumeFields } from './volumes/volume.ts'
export type {
  CloneDirectoryRequest,
  ClonedDirectory,
  ClonedFile,
  CloneFileRequest,
  CloneRange,
  EnableQuotaOptions,
  EnforcedLimit,
  ExpectedVolume,
  FileBlocks,
  FileIdentity,
  FileStatus,
  KnownPrincipal,
  LimitsChange,
  LimitTarget,
  QtreeSettings,
  QuotaNotice,
  QuotaUsage,
  UnsharedSlice,
  UnshareSlice,
  UnsupportedLimit,
  UsageNeeds,
  UsageTarget,
  VolumeBackend,
  VolumeCapabilities,
  VolumeClone,
  VolumeClones,
  VolumeCondition,
  VolumeSpace,
} from './volumes/volume-backend.ts'
export { BLOCK_SIZE } from './volumes/volume-backend.ts'
export type { VolumeRefusalReason } from './volumes/volume-refusal.ts'
export { isVolumeRefusal, VolumeRefusal } from './volumes/volume-refusal.ts'
export type { VolumeRepository } from './volumes/volume-repository.ts'
export type { DeliveryField } from './webhooks/delivery.ts'
export { deliveryFields } from './webhooks/delivery.ts'
export type { WebhookChange, WebhookField, WebhookId } from './webhooks/webhook.ts'
export { dueAt, holdoffGroup, receives, webhookFields } from './webhooks/webhook.ts'
export type {
  ClaimDelivery,
  ClaimedDelivery,
  DeliveryOutcome,
  WebhookRepository,
} from './webhooks/webhook-repository.ts'
export { longestLease } from './workers/longest-lease.ts'
export type { Worker } from './workers/worker.ts'
