export type { CloneToken, CloneTokenField, CloneTokenId } from './clone-tokens/clone-token.ts'
export { cloneTokenFields } from './clone-tokens/clone-token.ts'
export type { CloneTokenRepository } from './clone-tokens/clone-token-repository.ts'
export type { CloneTokenError, CloneTokens, CreateCloneToken } from './clone-tokens/clone-tokens.ts'
export { MAXIMUM_TOKEN_LIFETIME, MINIMUM_RESERVE_SIZE } from './clone-tokens/clone-tokens.ts'
export type { Storage } from './create-storage.ts'
export { createStorage } from './create-storage.ts'
export type { StorageEvents } from './events/storage-events.ts'
export type { CloneRequestError } from './file-clones/check-clone.ts'
export type { CloneFile, FileCloneError, FileClones } from './file-clones/file-clones.ts'
export type { Job, JobFailure, JobFailureType, JobField, JobId, JobProgress, JobState } from './jobs/job.ts'
export { jobFields } from './jobs/job.ts'
export type { ClaimJob, JobCommand, JobEnd, JobRepository, JobStep } from './jobs/job-repository.ts'
export type { CloneFileTask, JobTask, ResizeQuotaTask, UpdateQtreeTask } from './jobs/job-task.ts'
export type { JobError, JobLabel, Jobs } from './jobs/jobs.ts'
export { hasEnded } from './jobs/jobs.ts'
export { allowableLoad } from './nodes/allowable-load.ts'
export type { NodeRepository } from './nodes/node-repository.ts'
export type { NodeError, Nodes } from './nodes/nodes.ts'
export { MAXIMUM_SPLIT_LOAD, MINIMUM_SPLIT_LOAD } from './nodes/nodes.ts'
export type { NodeId, NodeReference, SplitLoad, StorageNode } from './nodes/storage-node.ts'
export type { Qtree, QtreeChange, QtreeField, SecurityStyle } from './qtrees/qtree.ts'
export { MAXIMUM_QTREES, qtreeFields } from './qtrees/qtree.ts'
export type { QtreeRepository } from './qtrees/qtree-repository.ts'
export type { ChangedQtree, CreateQtree, QtreeError, Qtrees } from './qtrees/qtrees.ts'
export { compareValues } from './query/compare-values.ts'
export { compileQuery } from './query/compile-query.ts'
export type { Field, FieldCatalogue, FieldOf, FieldType, FieldValue } from './query/field-catalogue.ts'
export type { OrderBy, Page, PageRequest, Position } from './query/page.ts'
export { fullOrder } from './query/page.ts'
export { comparePositions, pageInMemory, positionOf } from './query/page-in-memory.ts'
export type { Alternative, FilterError } from './query/parse-filter.ts'
export { parseFilter } from './query/parse-filter.ts'
export { parseSize } from './query/parse-size.ts'
export { printFilter } from './query/print-filter.ts'
export type { Clause, CompareOperator, Condition, Query, Term } from './query/query.ts'
export { everything } from './query/query.ts'
export type { QuotaReport, QuotaReportField, ReportedPrincipal } from './quota-reports/quota-report.ts'
export { percentOf, quotaReportFields } from './quota-reports/quota-report.ts'
export type {
  MissingReports,
  QuotaReportError,
  QuotaReports,
  ReportCount,
  ReportPageRequest,
  UnavailableUsage,
} from './quota-reports/quota-reports.ts'
export type { LimitError } from './quota-rules/check-limits.ts'
export { MINIMUM_SPACE_LIMIT, softLimitAboveHard } from './quota-rules/check-limits.ts'
export type { NamedPrincipal, TargetError, TargetRequest } from './quota-rules/check-target.ts'
export type { QuotaLimitName, QuotaLimits, QuotaLimitsChange } from './quota-rules/quota-limits.ts'
export { changeLimits } from './quota-rules/quota-limits.ts'
export type { QuotaRule, QuotaRuleField, QuotaRuleId } from './quota-rules/quota-rule.ts'
export { quotaRuleFields } from './quota-rules/quota-rule.ts'
export type { QuotaRuleChange, QuotaRuleRepository } from './quota-rules/quota-rule-repository.ts'
export type { ChangedQuotaRule, CreateQuotaRule, QuotaRuleError, QuotaRules } from './quota-rules/quota-rules.ts'
export type {
  GroupTarget,
  Principal,
  QuotaTarget,
  QuotaType,
  TreeTarget,
  UserTarget,
} from './quota-rules/quota-target.ts'
export { targetKeys } from './quota-rules/quota-target.ts'
export type { EnforcedQuota } from './quotas/enforced-quota.ts'
export type { EnforcedQuotaRepository } from './quotas/enforced-quota-repository.ts'
export type { Scheduler } from './scheduling/scheduler.ts'
export { timerScheduler } from './scheduling/scheduler.ts'
export type { Split, SplitId, SplitStatus } from './splits/split.ts'
export type { ClaimSplit, SplitProgress, SplitRepository } from './splits/split-repository.ts'
export type { SplitError, Splits } from './splits/splits.ts'
export type { NodeOptions, StorageOptions, VolumeOptions } from './storage-options.ts'
export type { StorageRepositories } from './storage-repositories.ts'
export { StoreFailure } from './store-failure.ts'
export type { Svm, SvmId } from './svms/svm.ts'
export type { SvmRepository } from './svms/svm-repository.ts'
export type { FindVolumeError, Named, NamedVolume } from './volumes/find-volume.ts'
export type { QuotaState, Volume, VolumeField, VolumeId, VolumeReference } from './volumes/volume.ts'
export { volumeFields } from './volumes/volume.ts'
export type {
  ClonedFile,
  CloneFileRequest,
  CloneRange,
  EnableQuotaOptions,
  EnforcedLimit,
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
  UsageTarget,
  VolumeBackend,
  VolumeCapabilities,
  VolumeSpace,
} from './volumes/volume-backend.ts'
export { BLOCK_SIZE } from './volumes/volume-backend.ts'
export type { VolumeRefusalOptions, VolumeRefusalReason } from './volumes/volume-refusal.ts'
export { isVolumeRefusal, VolumeRefusal } from './volumes/volume-refusal.ts'
export type { VolumeRepository } from './volumes/volume-repository.ts'
export type { VolumeError, Volumes } from './volumes/volumes.ts'
