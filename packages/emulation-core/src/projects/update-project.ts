import { err, ok, type Result } from 'neverthrow'
import { attempt } from '../attempt.ts'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import { closeProject } from './close-project.ts'
import { isBusy } from './is-busy.ts'
import type { ProjectUpdate } from './new-project.ts'
import type { Project } from './project.ts'
import { isPathTaken, isWithin, projectPath } from './project-path.ts'

/** Updates a project, and closes one that is archived. The caller holds its lock. */
export async function updateProject(
  context: Context,
  project: Project,
  update: ProjectUpdate,
): Promise<Result<Project, EmulationError>> {
  const { repositories, files } = context
  const path = projectPath(context, project, update.path)
  if (path.isErr()) return err(path.error)
  const changed = withDetails({ ...project, path: path.value }, update)
  if (isSameProject(changed, project)) return ok(project)
  if (project.locked && update.locked !== false) return err({ type: 'project-locked', projectId: project.id })
  // It would be deleted at the next start.
  if (changed.temporary && project.status === 'closed') return err({ type: 'project-closed', projectId: project.id })
  const moves = changed.path !== project.path
  // The copy into itself would not end.
  if (moves && isWithin(changed.path, project.path)) return err({ type: 'project-path-invalid', path: changed.path })
  if (moves && (await isPathTaken(context, project.id, changed.path)))
    return err({ type: 'project-path-taken', path: changed.path })
  if (moves && isBusy(context, project)) return err({ type: 'project-busy', projectId: project.id })
  // Permanent in the same write: a temporary project that is closed would be deleted at the next start.
  const closed = changed.archived ? await closeProject(context, { ...project, temporary: false }) : ok(project)
  if (closed.isErr()) return err(closed.error)
  const { status, revision } = closed.value
  const next: Project = { ...changed, status, changedAt: context.now(), revision: revision + 1 }
  if (moves || next.temporary !== project.temporary) {
    const settled = await attempt(() => (moves ? files.moveProject(project, next) : files.openProject(next)))
    if (settled.isErr()) return err(settled.error)
  }
  if (!(await repositories.projects.replace(next))) return err({ type: 'project-busy', projectId: project.id })
  context.projectStates.set(next)
  context.emit('project.updated', next)
  return ok(next)
}

/** Whether two records of a project have the same details. */
export const isSameProject = (one: Project, other: Project): boolean => inOrder(one) === inOrder(other)

/** Stores and updates differ in the order of fields. */
const inOrder = ({ scene = {}, ...project }: Project): string =>
  JSON.stringify([Object.entries(project).sort(byName), Object.entries(scene).sort(byName)])

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1

/** Adds the details of a request to a project. An empty text removes it. */
export function withDetails(
  project: Project,
  { path: _checked, scene, description, author, ...details }: ProjectUpdate,
): Project {
  const given = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined))
  const { description: oldDescription, author: oldAuthor, ...rest } = project
  const texts = { description: description ?? oldDescription ?? '', author: author ?? oldAuthor ?? '' }
  return {
    ...rest,
    ...given,
    ...((details.archived ?? project.archived) && { temporary: false }),
    ...(texts.description !== '' && { description: texts.description }),
    ...(texts.author !== '' && { author: texts.author }),
    ...(scene && { scene: { ...project.scene, ...scene } }),
  }
}
