import type { InstanceRepository } from './instances/instance-repository.ts'
import type { ProjectRepository } from './projects/project-repository.ts'

/** Everything that an emulation server keeps. */
export interface EmulationRepositories {
  readonly projects: ProjectRepository
  readonly instances: InstanceRepository
}
