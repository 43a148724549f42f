import type { Database } from '../database.ts'
import { migrate } from '../migrations/migrate.ts'
import type { MigrationSet } from '../migrations/migration-set.ts'
import { projects } from './migrations/0001-projects.ts'
import { instances } from './migrations/0002-instances.ts'
import { removalOrder } from './migrations/0003-removal-order.ts'
import { owners } from './migrations/0004-owners.ts'
import { projectNames } from './migrations/0005-project-names.ts'
import { projectDocuments } from './migrations/0006-project-documents.ts'
import { drawings } from './migrations/0007-drawings.ts'

export const emulationMigrations: MigrationSet = {
  name: 'emulation',
  migrations: {
    '0001-projects': projects,
    '0002-instances': instances,
    '0003-removal-order': removalOrder,
    '0004-owners': owners,
    '0005-project-names': projectNames,
    '0006-project-documents': projectDocuments,
    '0007-drawings': drawings,
  },
}

/** Creates or updates the tables of emulation. Any number of replicas may call it at the same time. Forward only. */
export async function migrateEmulation(database: Database): Promise<void> {
  await migrate(database, emulationMigrations)
}
