import type { Project, ProjectId } from './project.ts'

/**
 * Where open projects are kept. Rejections mean that the store failed; what is absent is `undefined`.
 * Records are handed out and taken in as copies.
 */
export interface ProjectRepository {
  find(id: ProjectId): Promise<Project | undefined>
  /** All, oldest first; equal ages by id. */
  list(): Promise<readonly Project[]>
  /** Adds the project unless its id is taken, in one atomic step. @returns whether it was added */
  add(project: Project): Promise<boolean>
  /**
   * Stores a new version only where the stored revision is `project.revision - 1`, in one atomic step.
   *
   * @returns whether it was stored
   */
  replace(project: Project): Promise<boolean>
  /** @returns whether it was there */
  remove(id: ProjectId): Promise<boolean>
}
