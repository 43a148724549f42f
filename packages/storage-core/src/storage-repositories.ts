import type { CloneTokenRepository } from './clone-tokens/clone-token-repository.ts'
import type { DigestRepository } from './digests/digest-repository.ts'
import type { JobRepository } from './jobs/job-repository.ts'
import type { LimitStateRepository } from './limit-states/limit-state-repository.ts'
import type { NodeRepository } from './nodes/node-repository.ts'
import type { NoticeRepository } from './notices/notice-repository.ts'
import type { QtreeRepository } from './qtrees/qtree-repository.ts'
import type { QuotaRuleRepository } from './quota-rules/quota-rule-repository.ts'
import type { EnforcedQuotaRepository } from './quotas/enforced-quota-repository.ts'
import type { SelfTokenRepository } from './self-tokens/self-token-repository.ts'
import type { SplitRepository } from './splits/split-repository.ts'
import type { SvmRepository } from './svms/svm-repository.ts'
import type { UsageHistoryRepository } from './usage-history/usage-history-repository.ts'
import type { VolumeRepository } from './volumes/volume-repository.ts'
import type { WebhookRepository } from './webhooks/webhook-repository.ts'

/**
 * The repositories of a storage, all of one store. Nodes, tokens and splits belong together, because a reservation is
 * one atomic step over all three, and so do notices, webhooks and digests. Any number of processes may share the store.
 */
export interface StorageRepositories {
  readonly nodes: NodeRepository
  readonly svms: SvmRepository
  readonly volumes: VolumeRepository
  readonly qtrees: QtreeRepository
  readonly quotaRules: QuotaRuleRepository
  readonly enforcedQuotas: EnforcedQuotaRepository
  readonly limitStates: LimitStateRepository
  readonly cloneTokens: CloneTokenRepository
  readonly splits: SplitRepository
  readonly jobs: JobRepository
  readonly notices: NoticeRepository
  readonly webhooks: WebhookRepository
  readonly digests: DigestRepository
  readonly usageHistory: UsageHistoryRepository
  readonly selfTokens: SelfTokenRepository
  /**
   * Checks that the store is prepared, as by migrations. Called at the start.
   *
   * @returns sentences for the log that say what is missing and what to do, or `undefined`. Rejects where the store fails
   * @default no check
   */
  verify?(): Promise<string | undefined>
}
