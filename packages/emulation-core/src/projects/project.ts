import type { Tagged } from 'type-fest'
import type { Scene } from './scene.ts'

/** A UUID, compared with case. */
export type ProjectId = Tagged<string, 'ProjectId'>

/** A lab: a directory with its instances, and what people note about it. */
export interface Project {
  readonly id: ProjectId
  /** An absolute path, by default `<location>/<id>`, or `<location>/users/<digest of the owner>/<id>`. */
  readonly path: string
  /** A label for people: a plain file name, which need not be unique. Absent where none was set. */
  readonly name?: string
  /** Whether its directory is deleted when it is closed, or at the next start of the server. */
  readonly temporary: boolean
  /** The user of the host that created it, by the id that the host's access rule returned. Absent for the admin's. */
  readonly ownerId?: string
  /**
   * `opened`: its instances have their ports, and can run. `closed`: it is only stored. `incomplete`: a copy that is
   * being made, which no operation finds and the next start of the server deletes.
   */
  readonly status: 'opened' | 'closed' | 'incomplete'
  /** Text of several lines, at most 10,000 characters. Absent where none was set. */
  readonly description?: string
  /** The name of a person, at most 255 characters. Absent where none was set. */
  readonly author?: string
  /** Whether it is put away: closed, and opened only after this has ended. */
  readonly archived: boolean
  /** Whether its instances, connections, drawings and details cannot be changed. They can be started and stopped. */
  readonly locked: boolean
  /** Whether it is opened when the server starts. */
  readonly autoOpen: boolean
  /** Whether its instances are started when it is opened, and when the server starts while it is open. */
  readonly autoStart: boolean
  /** Its instances are stopped that many minutes after the last start of one of them; 0 for never. */
  readonly autoStopMinutes: number
  readonly scene?: Scene
  readonly createdAt: Date
  /** When its record, or an instance of it, was last changed. A start or a stop does not count. */
  readonly changedAt: Date
  /** Increases by one with every stored change, from 0. */
  readonly revision: number
}

/** The state of a new project. */
export const projectDefaults = {
  status: 'opened',
  archived: false,
  locked: false,
  autoOpen: false,
  autoStart: false,
  autoStopMinutes: 0,
} as const satisfies Partial<Project>

type ProjectDefaults = Pick<Project, keyof typeof projectDefaults | 'changedAt'>

/** What a record that an earlier version stored lacks. */
export const withProjectDefaults = (
  stored: Omit<Project, keyof ProjectDefaults> & Partial<ProjectDefaults>,
): Project => ({
  ...projectDefaults,
  changedAt: stored.createdAt,
  ...stored,
})
