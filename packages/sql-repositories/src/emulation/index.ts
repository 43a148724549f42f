export { migrateEmulation } from './migrate-emulation.ts'
export { sqlEmulationRepositories } from './sql-emulation-repositories.ts'
export { sqlInstances } from './sql-instances.ts'
export { sqlProjects } from './sql-projects.ts'
