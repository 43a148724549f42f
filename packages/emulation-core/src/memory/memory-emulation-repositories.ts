import type { EmulationRepositories } from '../emulation-repositories.ts'
import { memoryDrawings } from './memory-drawings.ts'
import { memoryInstances } from './memory-instances.ts'
import { memoryProjects } from './memory-projects.ts'

/**
 * Creates all repositories of an emulation server in the memory of this process.
 *
 * @example
 * ```ts
 * import { memoryEmulationRepositories } from '@trivium/emulation-core/memory'
 *
 * const repositories = memoryEmulationRepositories()
 * ```
 */
export const memoryEmulationRepositories = (): EmulationRepositories => ({
  projects: memoryProjects(),
  instances: memoryInstances(),
  drawings: memoryDrawings(),
})
