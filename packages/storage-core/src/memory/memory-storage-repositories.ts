import type { StorageRepositories } from '../storage-repositories.ts'
import { memoryCloneTokens } from './memory-clone-tokens.ts'
import { memoryDigests } from './memory-digests.ts'
import { memoryEnforcedQuotas } from './memory-enforced-quotas.ts'
import { memoryJobs } from './memory-jobs.ts'
import { memoryLimitStates } from './memory-limit-states.ts'
import { memoryNodes } from './memory-nodes.ts'
import { memoryNotices } from './memory-notices.ts'
import { memoryQtrees } from './memory-qtrees.ts'
import { memoryQuotaRules } from './memory-quota-rules.ts'
import { memorySelfTokens } from './memory-self-tokens.ts'
import { memorySplits } from './memory-splits.ts'
import { memorySvms } from './memory-svms.ts'
import { memoryUsageHistory } from './memory-usage-history.ts'
import { memoryVolumes } from './memory-volumes.ts'
import { memoryWebhooks } from './memory-webhooks.ts'
import { createSplitLoadLedger } from './split-load-ledger.ts'
import { createWebhookLedger } from './webhook-ledger.ts'

/**
 * Creates all repositories of a storage in the memory of this process.
 *
 * @example
 * ```ts
 * import { memoryStorageRepositories } from '@trivium/storage-core/memory'
 * import { simulatedVolume } from '@trivium/simulated-volumes'
 * import { createStorage } from '@trivium/storage-core'
 *
 * const storage = createStorage({
 *   volumes: [{ name: 'homes', backend: simulatedVolume() }],
 * })
 * ```
 */
export function memoryStorageRepositories(): StorageRepositories {
  const ledger = createSplitLoadLedger()
  const webhookLedger = createWebhookLedger()
  const jobs = memoryJobs()
  return {
    nodes: memoryNodes(ledger),
    svms: memorySvms(),
    volumes: memoryVolumes(),
    qtrees: memoryQtrees(jobs),
    quotaRules: memoryQuotaRules(jobs),
    enforcedQuotas: memoryEnforcedQuotas(),
    limitStates: memoryLimitStates(),
    cloneTokens: memoryCloneTokens(ledger),
    splits: memorySplits(ledger),
    jobs,
    notices: memoryNotices(webhookLedger),
    webhooks: memoryWebhooks(webhookLedger),
    digests: memoryDigests(webhookLedger),
    usageHistory: memoryUsageHistory(),
    selfTokens: memorySelfTokens(),
  }
}
