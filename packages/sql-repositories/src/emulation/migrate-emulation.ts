import type { Database } from '../database.ts'
import { type MigrationSet, migrate } from '../migrate.ts'
import { projects } from './migrations/0001-projects.ts'
import { instances } from './migrations/0002-instances.ts'
import { removalOrder } from './migrations/0003-removal-order.ts'

export const emulationMigrations: MigrationSet = {
  name: 'emulation',
  migrations: {
    '0001-projects': projects,
    '0002-instances': instances,
    '0003-removal-order': removalOrder,
  },
}

/** Creates or updates the tables of emulation. Any number of replicas may call it at the same time. Forward only. */
export function migrateEmulation(database: Database): Promise<void> {
  return migrate(database, emulationMigrations)
}
