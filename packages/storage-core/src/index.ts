export type { CloneToken } from './clone-tokens/clone-token.ts'
export type { CloneTokenError, CreateCloneToken } from './clone-tokens/clone-tokens.ts'
export type { Storage } from './create-storage.ts'
export { createStorage } from './create-storage.ts'
export type { StoreOptions } from './create-store.ts'
export type { StorageEvents } from './events/storage-events.ts'
export type { CloneFile, FileCloneError } from './file-clones/file-clones.ts'
export type { Job } from './jobs/job.ts'
export type { JobError } from './jobs/jobs.ts'
export { ServiceClosed } from './lifetime.ts'
export type { NodeError } from './nodes/nodes.ts'
export type { StorageNode } from './nodes/storage-node.ts'
export type { Qtree } from './qtrees/qtree.ts'
export type { CreateQtree, QtreeError } from './qtrees/qtrees.ts'
export type { QuotaReport } from './quota-reports/quota-report.ts'
export type { QuotaReportError } from './quota-reports/quota-reports.ts'
export type { QuotaRule } from './quota-rules/quota-rule.ts'
export type { CreateQuotaRule, QuotaRuleError } from './quota-rules/quota-rules.ts'
export type {
  AppliedRuleImport,
  ImportedRule,
  ImportLineError,
  RuleImport,
  RuleImportChange,
  RuleImportError,
  RuleImportPlan,
} from './rule-imports/rule-import.ts'
export type { Split } from './splits/split.ts'
export type { SplitError } from './splits/splits.ts'
export type { NodeOptions, StorageOptions, VolumeOptions } from './storage-options.ts'
export { StoreFailure } from './store-failure.ts'
export type { Svm } from './svms/svm.ts'
export type { Volume } from './volumes/volume.ts'
export type { VolumeError } from './volumes/volumes.ts'
