import type { Tagged } from 'type-fest'

/** A UUID, compared with case. */
export type ProjectId = Tagged<string, 'ProjectId'>

/** A directory with its instances. */
export interface Project {
  readonly id: ProjectId
  /** An absolute path, by default `<location>/<id>`. */
  readonly path: string
  /** Whether its directory is deleted when it is closed, or at the next start of the server. */
  readonly temporary: boolean
  readonly createdAt: Date
  /** Increases by one with every stored change, from 0. */
  readonly revision: number
}
