import type { EmulationRepositories } from '@trivium/emulation-core/ports'
import { memoryInstances } from './memory-instances.ts'
import { memoryProjects } from './memory-projects.ts'

/**
 * Creates all repositories of an emulation server in the memory of this process.
 *
 * @example
 * ```ts
 * import { memoryEmulationRepositories } from '@trivium/memory-repositories/emulation'
 *
 * const repositories = memoryEmulationRepositories()
 * ```
 */
export const memoryEmulationRepositories = (): EmulationRepositories => ({
  projects: memoryProjects(),
  instances: memoryInstances(),
})
