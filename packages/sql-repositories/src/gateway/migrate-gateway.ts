import type { Database } from '../database.ts'
import { type MigrationSet, migrate } from '../migrate.ts'
import { apiKeys } from './migrations/0001-api-keys.ts'
import { limits } from './migrations/0002-limits.ts'
import { usage } from './migrations/0003-usage.ts'
import { keyChanges } from './migrations/0004-key-changes.ts'
import { usageSums } from './migrations/0005-usage-sums.ts'
import { writeProof } from './migrations/0006-write-proof.ts'
import { clocks } from './migrations/0007-clocks.ts'

export const gatewayMigrations: MigrationSet = {
  name: 'gateway',
  migrations: {
    '0001-api-keys': apiKeys,
    '0002-limits': limits,
    '0003-usage': usage,
    '0004-key-changes': keyChanges,
    '0005-usage-sums': usageSums,
    '0006-write-proof': writeProof,
    '0007-clocks': clocks,
  },
}

/** Creates or updates the gateway's tables. Any number of replicas may call it at the same time. Forward only. */
export function migrateGateway(database: Database): Promise<void> {
  return migrate(database, gatewayMigrations)
}
