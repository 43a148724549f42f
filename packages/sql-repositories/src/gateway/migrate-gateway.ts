import type { Database } from '../database.ts'
import { migrate } from '../migrations/migrate.ts'
import type { MigrationSet } from '../migrations/migration-set.ts'
import { apiKeys } from './migrations/0001-api-keys.ts'
import { limits } from './migrations/0002-limits.ts'
import { usage } from './migrations/0003-usage.ts'
import { keyChanges } from './migrations/0004-key-changes.ts'
import { usageSums } from './migrations/0005-usage-sums.ts'
import { writeProof } from './migrations/0006-write-proof.ts'
import { clocks } from './migrations/0007-clocks.ts'
import { accounts } from './migrations/0008-accounts.ts'
import { responses } from './migrations/0009-responses.ts'
import { ledger } from './migrations/0010-ledger.ts'
import { usageDetail } from './migrations/0011-usage-detail.ts'
import { answerCache } from './migrations/0012-answer-cache.ts'
import { groups } from './migrations/0013-groups.ts'
import { requestLog } from './migrations/0014-request-log.ts'
import { keyUsers } from './migrations/0015-key-users.ts'
import { admissions } from './migrations/0016-admissions.ts'

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
    '0008-accounts': accounts,
    '0009-responses': responses,
    '0010-ledger': ledger,
    '0011-usage-detail': usageDetail,
    '0012-answer-cache': answerCache,
    '0013-groups': groups,
    '0014-request-log': requestLog,
    '0015-key-users': keyUsers,
    '0016-admissions': admissions,
  },
}

/** Creates or updates the gateway's tables. Any number of replicas may call it at the same time. Forward only. */
export async function migrateGateway(database: Database): Promise<void> {
  await migrate(database, gatewayMigrations)
}
