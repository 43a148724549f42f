import { storageRepositoriesConformance } from '@trivium/storage-core/conformance'
import { describe, vi } from 'vitest'
import { conformanceStore } from '../../tests/conformance-store.ts'
import { allDatabases, hostDatabases } from '../../tests/test-databases.ts'
import { migrateStorage } from './migrate-storage.ts'
import { sqlStorageRepositories } from './sql-storage-repositories.ts'

vi.setConfig({ testTimeout: 60_000 })

const tables = [
  'storage_nodes',
  'storage_svms',
  'storage_volumes',
  'storage_qtrees',
  'storage_quota_rules',
  'storage_quota_rule_users',
  'storage_quota_rule_keys',
  'storage_enforced_quotas',
  'storage_limit_states',
  'storage_clone_tokens',
  'storage_splits',
  'storage_jobs',
  'storage_notices',
  'storage_webhooks',
  'storage_deliveries',
  'storage_mail_recipients',
  'storage_usage_volumes',
  'storage_usage_targets',
  'storage_usage_points',
  'storage_self_tokens',
]

describe.each([...allDatabases, ...hostDatabases])('$name', (kind) => {
  const open = conformanceStore({ kind, migrate: migrateStorage, tables })
  storageRepositoriesConformance(async (replicas) => (await open(replicas)).map(sqlStorageRepositories))
})
