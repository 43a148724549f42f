import type { Database } from '../database.ts'
import { migrate } from '../migrations/migrate.ts'
import type { MigrationSet } from '../migrations/migration-set.ts'
import { placement } from './migrations/0001-placement.ts'
import { quotas } from './migrations/0002-quotas.ts'
import { splitLoad } from './migrations/0003-split-load.ts'
import { jobs } from './migrations/0004-jobs.ts'
import { rulesInKeyOrder } from './migrations/0005-rules-in-key-order.ts'
import { volumeStates } from './migrations/0006-volume-states.ts'
import { owners } from './migrations/0007-owners.ts'
import { ruleOrders } from './migrations/0008-rule-orders.ts'
import { rulesOfVolumeBySpace } from './migrations/0009-rules-of-volume-by-space.ts'
import { limitStates } from './migrations/0010-limit-states.ts'
import { notices } from './migrations/0011-notices.ts'
import { splitQueue } from './migrations/0012-split-queue.ts'
import { usageHistory } from './migrations/0013-usage-history.ts'
import { selfTokens } from './migrations/0014-self-tokens.ts'
import { volumeClones } from './migrations/0015-volume-clones.ts'
import { mountPoints } from './migrations/0016-mount-points.ts'

export const storageMigrations: MigrationSet = {
  name: 'storage',
  migrations: {
    '0001-placement': placement,
    '0002-quotas': quotas,
    '0003-split-load': splitLoad,
    '0004-jobs': jobs,
    '0005-rules-in-key-order': rulesInKeyOrder,
    '0006-volume-states': volumeStates,
    '0007-owners': owners,
    '0008-rule-orders': ruleOrders,
    '0009-rules-of-volume-by-space': rulesOfVolumeBySpace,
    '0010-limit-states': limitStates,
    '0011-notices': notices,
    '0012-split-queue': splitQueue,
    '0013-usage-history': usageHistory,
    '0014-self-tokens': selfTokens,
    '0015-volume-clones': volumeClones,
    '0016-mount-points': mountPoints,
  },
}

/** Creates or updates the tables of storage. Any number of replicas may call it at the same time. Forward only. */
export async function migrateStorage(database: Database): Promise<void> {
  await migrate(database, storageMigrations)
}
