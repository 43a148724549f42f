import type { ProjectId } from './project.ts'

/** The fields of a new project. */
export interface NewProject {
  /** @default a new id */
  readonly id?: ProjectId
  /** An absolute path; only in local mode. @default `<location>/<id>` */
  readonly path?: string
  /** Whether closing the project deletes its directory. @default false */
  readonly temporary?: boolean
}

/** Changes of a project. Fields that are left out stay. */
export type ProjectUpdate = Omit<NewProject, 'id'>
