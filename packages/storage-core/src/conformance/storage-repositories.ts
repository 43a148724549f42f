import type { StorageRepositories } from '../storage-repositories.ts'
import { cloneTokenRepositoryConformance } from './clone-token-repository.ts'
import { digestRepositoryConformance } from './digest-repository.ts'
import { enforcedQuotaRepositoryConformance } from './enforced-quota-repository.ts'
import { jobRepositoryConformance } from './job-repository.ts'
import { limitStateRepositoryConformance } from './limit-state-repository.ts'
import { noticeRepositoryConformance } from './notice-repository.ts'
import { placementRepositoriesConformance } from './placement-repositories.ts'
import { qtreeRepositoryConformance } from './qtree-repository.ts'
import { quotaRuleBatchesConformance } from './quota-rule-batches.ts'
import { quotaRuleQueriesConformance } from './quota-rule-queries.ts'
import { quotaRuleRepositoryConformance } from './quota-rule-repository.ts'
import type { OpenReplicas } from './replicas.ts'
import { selfTokenRepositoryConformance } from './self-token-repository.ts'
import { splitRepositoryConformance } from './split-repository.ts'
import { usageHistoryRepositoryConformance } from './usage-history-repository.ts'
import { webhookRepositoryConformance } from './webhook-repository.ts'

/**
 * Registers Vitest cases for the repositories of one store. `open` is called by each case, with at most 4 replicas.
 * Some cases run random queries and need `fast-check`.
 */
export function storageRepositoriesConformance(open: OpenReplicas<StorageRepositories>): void {
  placementRepositoriesConformance(open)
  qtreeRepositoryConformance(open)
  quotaRuleRepositoryConformance(open)
  quotaRuleBatchesConformance(open)
  quotaRuleQueriesConformance(open)
  enforcedQuotaRepositoryConformance(open)
  limitStateRepositoryConformance(open)
  cloneTokenRepositoryConformance(open)
  splitRepositoryConformance(open)
  jobRepositoryConformance(open)
  noticeRepositoryConformance(open)
  webhookRepositoryConformance(open)
  digestRepositoryConformance(open)
  usageHistoryRepositoryConformance(open)
  selfTokenRepositoryConformance(open)
}
