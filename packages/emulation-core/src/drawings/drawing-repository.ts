import type { ProjectId } from '../projects/project.ts'
import type { Drawing, DrawingId } from './drawing.ts'

/**
 * Stores the drawings of open projects. Rejects where the store fails; an absent record is `undefined`. Records are
 * copied when they are stored and when they are returned.
 */
export interface DrawingRepository {
  /** Finds a drawing. Ids are compared with case. */
  find(id: DrawingId): Promise<Drawing | undefined>
  /** Lists the drawings of a project, oldest first, then by id. */
  list(projectId: ProjectId): Promise<readonly Drawing[]>
  /** Measures the drawings of a project, without reading their SVG. */
  usage(projectId: ProjectId): Promise<DrawingUsage>
  /** Adds the drawing unless its id is taken, in one atomic step. @returns whether it was added */
  add(drawing: Drawing): Promise<boolean>
  /**
   * Replaces the record only where the stored revision is `drawing.revision - 1`, in one atomic step.
   *
   * @returns whether it was replaced
   */
  replace(drawing: Drawing): Promise<boolean>
  /** Deletes the drawing. @returns whether it existed */
  remove(id: DrawingId): Promise<boolean>
  /** Deletes every drawing of the project. */
  removeProject(projectId: ProjectId): Promise<void>
}

/** How much a project draws. */
export interface DrawingUsage {
  readonly drawings: number
  /** The sum of the lengths of their SVG, in UTF-16 code units. */
  readonly characters: number
}
