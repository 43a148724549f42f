export type { CloneToken } from './clone-tokens/clone-token.ts'
export type { CloneTokenError, CreateCloneToken } from './clone-tokens/clone-tokens.ts'
export type { Storage } from './create-storage.ts'
export { createStorage } from './create-storage.ts'
export type { StoreOptions } from './create-store.ts'
export type { Mail, Mailer } from './digests/mailer.ts'
export type { MailError, Mailing, MailingRecipient, MailResult } from './digests/mailing.ts'
export type { StorageEvents } from './events/storage-events.ts'
export type { CloneFile, FileCloneError } from './file-clones/file-clones.ts'
export type { FileError } from './files/files.ts'
export type { VolumeFile } from './files/volume-file.ts'
export type { Job } from './jobs/job.ts'
export type { JobError } from './jobs/jobs.ts'
export { ServiceClosed } from './lifetime.ts'
export type { NodeError } from './nodes/nodes.ts'
export type { StorageNode } from './nodes/storage-node.ts'
export type { FollowNotices } from './notices/follow-notices.ts'
export type { Notice } from './notices/notice.ts'
export type { Notices } from './notices/notices.ts'
export type { StoredNotice } from './notices/stored-notice.ts'
export type { OwnQuota, OwnQuotas, OwnUse, SharingUser } from './own-quotas/own-quota.ts'
export type { OwnQuotaReports } from './own-quotas/own-quotas.ts'
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
export type { SelfToken } from './self-tokens/self-token.ts'
export type { CreatedSelfToken, CreateSelfToken, SelfTokenError, SelfTokens } from './self-tokens/self-tokens.ts'
export type { RequestSplit, RequestSplitError } from './splits/request-split.ts'
export type { Split } from './splits/split.ts'
export type { SplitChange, SplitError } from './splits/splits.ts'
export type { MailOptions, MailRecipient, NodeOptions, StorageOptions, VolumeOptions } from './storage-options.ts'
export { StoreFailure } from './store-failure.ts'
export type { Svm } from './svms/svm.ts'
export type { UsageHistory, UsagePeriod } from './usage-history/usage-history.ts'
export type { VolumeUsage } from './usage-history/volume-usage.ts'
export type {
  ChangedVolume,
  ClonedVolumes,
  CreateVolumeClone,
  VolumeCloneError,
} from './volume-clones/cloned-volumes.ts'
export type { Volume } from './volumes/volume.ts'
export type { VolumeError } from './volumes/volumes.ts'
export type { Delivery } from './webhooks/delivery.ts'
export type { Webhook } from './webhooks/webhook.ts'
export type { CreatedWebhook, CreateWebhook, WebhookError, Webhooks } from './webhooks/webhooks.ts'
