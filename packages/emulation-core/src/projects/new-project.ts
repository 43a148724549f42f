import type { ProjectId } from './project.ts'

/** What a project is made of. */
export interface NewProject {
  /** @default a new one */
  readonly id?: ProjectId
  /** Absolute; only for servers that are local to their clients. @default a directory of its own in the host's location */
  readonly path?: string
  /** Deletes the directory when the project is closed. @default false */
  readonly temporary?: boolean
}

/** What is left out stays as it is. */
export type ProjectUpdate = Omit<NewProject, 'id'>
