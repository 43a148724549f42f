import type { Project, ProjectId } from './project.ts'

/**
 * Stores the projects, closed ones included. Rejects where the store fails; an absent record is `undefined`. Records are copied when
 * they are stored and when they are returned.
 */
export interface ProjectRepository {
  /** Finds a project. Ids are compared with case. */
  find(id: ProjectId): Promise<Project | undefined>
  /** Lists all projects, oldest first, then by id. */
  list(): Promise<readonly Project[]>
  /** Adds the project unless its id is taken, in one atomic step. @returns whether it was added */
  add(project: Project): Promise<boolean>
  /**
   * Replaces the record only where the stored revision is `project.revision - 1`, in one atomic step.
   *
   * @returns whether it was replaced
   */
  replace(project: Project): Promise<boolean>
  /** Deletes the project. @returns whether it existed */
  remove(id: ProjectId): Promise<boolean>
}
