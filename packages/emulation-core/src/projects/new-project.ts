import type { ProjectId } from './project.ts'
import type { Scene } from './scene.ts'

/** The fields of a new project. */
export interface NewProject extends ProjectDetails {
  /**
   * The id of a closed project opens it with its instances, and changes the given fields. That of an open one fails with
   * `project-exists`, or returns that project with `reopenExistingProjects`.
   *
   * @default a new id
   */
  readonly id?: ProjectId
  /**
   * The user of the host that creates the project. Its path cannot be chosen then, and not be changed later.
   *
   * @default none: the project belongs to the admin
   */
  readonly ownerId?: string
}

/** What people set of a project. */
export interface ProjectDetails {
  /**
   * An absolute path of at most 4,096 characters, without `.` and `..` steps, double quotes and control characters.
   * Only in local mode. It must not be, contain or be inside the directory of another project, and must not contain the
   * server's `location`.
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
  /** Text of several lines, at most 10,000 characters; empty for none. @default none */
  readonly description?: string
  /** The name of a person, at most 255 characters; empty for none. @default none */
  readonly author?: string
  /** Whether instances, connections, drawings and details must not change. @default false */
  readonly locked?: boolean
  /** Whether the project is opened when the server starts. @default false */
  readonly autoOpen?: boolean
  /** Whether instances start when the project opens, and when the server starts while it is open. @default false */
  readonly autoStart?: boolean
  /** Stops its instances that many minutes after the last start of one, 0 (never) to 525,600. @default 0 */
  readonly autoStopMinutes?: number
  /** Fields that are left out stay. @default none */
  readonly scene?: Scene
}

/** Changes of a project. Fields that are left out stay. */
export interface ProjectUpdate extends ProjectDetails {
  /** `true` closes the project, makes it permanent, and puts it away until this is `false` again. */
  readonly archived?: boolean
}
