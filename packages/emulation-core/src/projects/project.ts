import type { Tagged } from 'type-fest'

/** A UUID, compared as it was written. */
export type ProjectId = Tagged<string, 'ProjectId'>

/** A directory and the instances that were made in it. */
export interface Project {
  readonly id: ProjectId
  /** Absolute; by default a directory named after the id inside the host's location. */
  readonly path: string
  /** Its directory goes when it is closed, and when the server finds it at a start. */
  readonly temporary: boolean
  readonly createdAt: Date
  /** Grows by one with every stored change, from 0. */
  readonly revision: number
}
