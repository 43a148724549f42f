import type { EmulationClient } from '../../../hooks/use-emulation.ts'

export type Project = Extract<Awaited<ReturnType<EmulationClient['getProject']>>, { readonly status: 200 }>['body']

/** Names a project by the first 8 characters of its id, because projects have no names. */
export const projectName = ({ project_id }: Pick<Project, 'project_id'>): string => `Project ${project_id.slice(0, 8)}`

/** Returns the path of a project's view. */
export const projectPath = ({ project_id }: Pick<Project, 'project_id'>): string => `/emulation/${project_id}`
