import type { DrawingRepository } from './drawings/drawing-repository.ts'
import type { InstanceRepository } from './instances/instance-repository.ts'
import type { ProjectRepository } from './projects/project-repository.ts'

/** The repositories of an emulation server. */
export interface EmulationRepositories {
  readonly projects: ProjectRepository
  readonly instances: InstanceRepository
  readonly drawings: DrawingRepository
  /**
   * Checks that the store is prepared, as by migrations. Called at the start.
   *
   * @returns sentences for the log that say what is missing and what to do, or `undefined`. Rejects where the store fails
   * @default no check
   */
  verify?(): Promise<string | undefined>
}
