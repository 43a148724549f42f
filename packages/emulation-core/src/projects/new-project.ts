import type { ProjectId } from './project.ts'

/** The fields of a new project. */
export interface NewProject {
  /**
   * The id of a closed project uses its directory again. That of an open one fails with `project-exists`, or returns
   * that project with `reopenExistingProjects`.
   *
   * @default a new id
   */
  readonly id?: ProjectId
  /**
   * An absolute path of at most 4,096 characters, without `.` and `..` steps, double quotes and control characters.
   * Only in local mode. It must not be, contain or be inside the directory of another open project, and must not
   * contain the server's `location`.
   *
   * @default `<location>/<id>`; of a project with an owner, a directory that no other owner has
   */
  readonly path?: string
  /**
   * A label for people: 1 to 255 bytes without slashes, backslashes and control characters, and not `.` or `..`. It
   * need not be unique, and is not part of the path.
   *
   * @default none
   */
  readonly name?: string
  /** Whether closing the project deletes its directory. @default false */
  readonly temporary?: boolean
  /**
   * The user of the host that creates the project. Its path cannot be chosen then, and not be changed later.
   *
   * @default none: the project belongs to the admin
   */
  readonly ownerId?: string
}

/** Changes of a project. Fields that are left out stay. */
export type ProjectUpdate = Omit<NewProject, 'id' | 'ownerId'>
