import type { InstanceRepository } from './instances/instance-repository.ts'
import type { ProjectRepository } from './projects/project-repository.ts'

/** The repositories of an emulation server. */
export interface EmulationRepositories {
  readonly projects: ProjectRepository
  readonly instances: InstanceRepository
}
