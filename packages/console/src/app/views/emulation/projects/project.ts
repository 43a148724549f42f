import type { EmulationClient } from '../../../hooks/use-emulation.ts'

export type Project = Extract<Awaited<ReturnType<EmulationClient['getProject']>>, { readonly status: 200 }>['body']

/** Returns the first 8 characters of a project's id, which people recognise it by. */
export const shortId = ({ project_id }: Pick<Project, 'project_id'>): string => project_id.slice(0, 8)

/** Returns the name of a project. One without a name is called by its id. */
export const projectName = (project: Pick<Project, 'project_id' | 'name'>): string =>
  project.name ?? `Project ${shortId(project)}`

/** Returns the path of a project's view. */
export const projectPath = ({ project_id }: Pick<Project, 'project_id'>): string => `/emulation/${project_id}`
