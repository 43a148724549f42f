import type { Context } from '../context.ts'
import type { ProjectId } from './project.ts'

/**
 * Stores the time of a change inside of a project that no record of an instance has. The caller holds the project's lock
 * as shared: of two such writes at the same time one is enough.
 */
export async function touchProject({ repositories, now, onFault }: Context, id: ProjectId): Promise<void> {
  const { projects } = repositories
  try {
    const project = await projects.find(id)
    if (project) await projects.replace({ ...project, changedAt: now(), revision: project.revision + 1 })
  } catch (fault) {
    // The change is made, and the time is only shown.
    onFault(fault)
  }
}
