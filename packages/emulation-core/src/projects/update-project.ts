import { err, ok, type Result } from 'neverthrow'
import { attempt } from '../attempt.ts'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import { kinds } from '../kinds/kinds.ts'
import type { ProjectUpdate } from './new-project.ts'
import type { Project } from './project.ts'
import { isPathTaken, isWithin, projectPath } from './project-path.ts'

/** Updates a project. The caller holds its lock. */
export async function updateProject(
  context: Context,
  project: Project,
  { path: requestedPath, name = project.name, temporary = project.temporary }: ProjectUpdate,
): Promise<Result<Project, EmulationError>> {
  const { repositories, files } = context
  const path = projectPath(context, project, requestedPath)
  if (path.isErr()) return err(path.error)
  const next: Project = {
    ...project,
    path: path.value,
    ...(name !== undefined && { name }),
    temporary,
    revision: project.revision + 1,
  }
  if (next.path === project.path && next.name === project.name && next.temporary === project.temporary)
    return ok(project)
  const moves = next.path !== project.path
  // The copy into itself would not end.
  if (moves && isWithin(next.path, project.path)) return err({ type: 'project-path-invalid', path: next.path })
  if (moves && (await isPathTaken(context, project.id, next.path)))
    return err({ type: 'project-path-taken', path: next.path })
  if (moves && (await isBusy(context, project))) return err({ type: 'project-busy', projectId: project.id })
  const settled = await attempt(() => (moves ? files.moveProject(project, next) : files.openProject(next)))
  if (settled.isErr()) return err(settled.error)
  if (!(await repositories.projects.replace(next))) return err({ type: 'project-busy', projectId: project.id })
  context.emit('project.updated', next)
  return ok(next)
}

/** Whether an instance or a capture of the project runs. */
async function isBusy({ repositories, live, captureFiles }: Context, { id }: Project): Promise<boolean> {
  if (captureFiles.any(id)) return true
  const instances = await repositories.instances.list({ projectId: id })
  return instances.some((instance) => live.has(instance.id) && !kinds[instance.kind].alwaysOn)
}
