import type { Tagged } from 'type-fest'

/** A UUID, compared with case. */
export type ProjectId = Tagged<string, 'ProjectId'>

/** A directory with its instances. */
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
  readonly createdAt: Date
  /** Increases by one with every stored change, from 0. */
  readonly revision: number
}
