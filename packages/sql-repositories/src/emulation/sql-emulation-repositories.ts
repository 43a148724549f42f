import type { EmulationRepositories } from '@trivium/emulation-core/ports'
import type { Database } from '../database.ts'
import { verifyTables } from '../migrations/verify-tables.ts'
import { emulationMigrations } from './migrate-emulation.ts'
import { sqlDrawings } from './sql-drawings.ts'
import { sqlInstances } from './sql-instances.ts'
import { sqlProjects } from './sql-projects.ts'

/**
 * Creates all repositories of an emulation server in one database. `migrateEmulation` creates the tables.
 *
 * @example
 * ```ts
 * import { openDatabase } from '@trivium/sql-repositories'
 * import { migrateEmulation, sqlEmulationRepositories } from '@trivium/sql-repositories/emulation'
 *
 * const database = await openDatabase('sqlite:emulation.sqlite')
 * await migrateEmulation(database)
 * const repositories = sqlEmulationRepositories(database)
 * ```
 */
export const sqlEmulationRepositories = (database: Database): EmulationRepositories => ({
  projects: sqlProjects(database),
  instances: sqlInstances(database),
  drawings: sqlDrawings(database),
  verify: () => verifyTables(database, emulationMigrations),
})
