import type { EmulationRepositories } from '@trivium/emulation-core/ports'
import { memoryInstances } from './memory-instances.ts'
import { memoryProjects } from './memory-projects.ts'

/** Everything that an emulation server keeps, for as long as the process lives. */
export const memoryEmulationRepositories = (): EmulationRepositories => ({
  projects: memoryProjects(),
  instances: memoryInstances(),
})
