import type { EmulationClient } from '../../../hooks/use-emulation.ts'

export type Project = Extract<Awaited<ReturnType<EmulationClient['getProject']>>, { readonly status: 200 }>['body']

/** Projects have no names: the first part of the id tells them apart. */
export const projectName = ({ project_id }: Pick<Project, 'project_id'>): string => `Project ${project_id.slice(0, 8)}`

export const projectPath = ({ project_id }: Pick<Project, 'project_id'>): string => `/emulation/${project_id}`
