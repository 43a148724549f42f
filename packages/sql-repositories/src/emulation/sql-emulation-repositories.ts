import type { EmulationRepositories } from '@trivium/emulation-core/ports'
import type { Database } from '../database.ts'
import { sqlInstances } from './sql-instances.ts'
import { sqlProjects } from './sql-projects.ts'

/** All that an emulation server keeps. Its tables are made by `migrateEmulation`. */
export const sqlEmulationRepositories = (database: Database): EmulationRepositories => ({
  projects: sqlProjects(database),
  instances: sqlInstances(database),
})
