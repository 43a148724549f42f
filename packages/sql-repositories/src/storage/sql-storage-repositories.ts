import type { StorageRepositories } from '@trivium/storage-core/ports'
import type { Database } from '../database.ts'
import { verifyTables } from '../migrations/verify-tables.ts'
import { storageMigrations } from './migrate-storage.ts'
import { sqlCloneTokens } from './sql-clone-tokens.ts'
import { sqlDigests } from './sql-digests.ts'
import { sqlEnforcedQuotas } from './sql-enforced-quotas.ts'
import { sqlJobs } from './sql-jobs.ts'
import { sqlLimitStates } from './sql-limit-states.ts'
import { sqlNodes } from './sql-nodes.ts'
import { sqlNotices } from './sql-notices.ts'
import { sqlQtrees } from './sql-qtrees.ts'
import { sqlQuotaRules } from './sql-quota-rules.ts'
import { sqlSelfTokens } from './sql-self-tokens.ts'
import { sqlSplits } from './sql-splits.ts'
import { sqlSvms } from './sql-svms.ts'
import { sqlUsageHistory } from './sql-usage-history.ts'
import { sqlVolumes } from './sql-volumes.ts'
import { sqlWebhooks } from './sql-webhooks.ts'

/**
 * Creates all repositories of a storage in one database, which any number of replicas can share. `migrateStorage`
 * creates the tables.
 *
 * @example
 * ```ts
 * import { openDatabase } from '@trivium/sql-repositories'
 * import { migrateStorage, sqlStorageRepositories } from '@trivium/sql-repositories/storage'
 *
 * const database = await openDatabase('sqlite:storage.sqlite')
 * await migrateStorage(database)
 * const repositories = sqlStorageRepositories(database)
 * ```
 */
export const sqlStorageRepositories = (database: Database): StorageRepositories => ({
  nodes: sqlNodes(database),
  svms: sqlSvms(database),
  volumes: sqlVolumes(database),
  qtrees: sqlQtrees(database),
  quotaRules: sqlQuotaRules(database),
  enforcedQuotas: sqlEnforcedQuotas(database),
  limitStates: sqlLimitStates(database),
  cloneTokens: sqlCloneTokens(database),
  splits: sqlSplits(database),
  jobs: sqlJobs(database),
  notices: sqlNotices(database),
  webhooks: sqlWebhooks(database),
  digests: sqlDigests(database),
  usageHistory: sqlUsageHistory(database),
  selfTokens: sqlSelfTokens(database),
  verify: () => verifyTables(database, storageMigrations),
})
