import { err, ok, type Result } from 'neverthrow'
import { attempt } from '../attempt.ts'
import { afterCalls } from '../calls-in-turn.ts'
import type { Context } from '../context.ts'
import type { DrawingId } from '../drawings/drawing.ts'
import type { EmulationError } from '../emulation-error.ts'
import type { InstanceId, InstanceRecord } from '../instances/instance.ts'
import { kinds } from '../kinds/kinds.ts'
import { isPlaceholder } from '../links/placeholder.ts'
import { type Undo, withUndo } from '../with-undo.ts'
import { isBusy } from './is-busy.ts'
import type { Project } from './project.ts'

/**
 * Copies a project with its instances, their files and its drawings under new ids. The copy is closed: it takes ports when it is
 * opened. The caller holds the lock of the original. A crash leaves the copy incomplete, and the next start deletes it.
 *
 * @param copy the record of the copy
 */
export async function duplicateProject(
  context: Context,
  original: Project,
  copy: Project,
): Promise<Result<Project, EmulationError>> {
  if (isBusy(context, original)) return err({ type: 'project-busy', projectId: original.id })
  const { repositories, projectStates, pendingWrites } = context
  return withUndo(
    (undo) => duplicate(context, original, copy, undo),
    (release) =>
      pendingWrites.add({
        wasApplied: async () => (await repositories.projects.find(copy.id))?.status === 'closed',
        finish: async () => projectStates.set({ ...copy, status: 'closed' }),
        release,
      }),
  )
}

async function duplicate(
  context: Context,
  original: Project,
  copy: Project,
  undo: Undo,
): Promise<Result<Project, EmulationError>> {
  const { repositories, files, instanceCounts, projectStates, limits } = context
  if (instanceCounts.projects >= limits.projects)
    return err({ type: 'limit-reached', what: 'projects', limit: limits.projects })
  instanceCounts.addProject(copy.id)
  undo(() => instanceCounts.removeProject(copy.id), 'claim')
  const incomplete: Project = { ...copy, status: 'incomplete', revision: 0 }
  if (!(await repositories.projects.add(incomplete))) return err({ type: 'project-exists', projectId: copy.id })
  undo(async () => {
    await repositories.instances.removeProject(copy.id)
    await repositories.drawings.removeProject(copy.id)
    await repositories.projects.remove(copy.id)
  })
  const opened = await attempt(() => files.openProject(incomplete))
  if (opened.isErr()) return err(opened.error)
  undo(() => files.removeProject(incomplete))

  const instances = await repositories.instances.list({ projectId: original.id })
  for (const [index, instance] of instances.entries()) {
    await afterCalls(index)
    const record = copyOf(instance, incomplete, context.newId() as InstanceId)
    const copied = await attempt(() =>
      files.copyInstance(
        { project: original, kind: instance.kind, id: instance.id },
        { project: incomplete, kind: instance.kind, id: record.id },
      ),
    )
    if (copied.isErr()) return err(copied.error)
    if (!(await repositories.instances.add(record))) return err({ type: 'instance-id-taken', id: record.id })
    instanceCounts.addInstance(copy.id)
  }
  for (const [index, drawing] of (await repositories.drawings.list(original.id)).entries()) {
    await afterCalls(index)
    const id = context.newId() as DrawingId
    if (!(await repositories.drawings.add({ ...drawing, id, projectId: copy.id, revision: 0 })))
      return err({ type: 'drawing-id-taken', id })
  }
  const complete: Project = { ...copy, status: 'closed', revision: 1 }
  if (!(await repositories.projects.replace(complete))) return err({ type: 'project-busy', projectId: copy.id })
  projectStates.set(complete)
  return ok(complete)
}

const copyOf = <K extends InstanceRecord['kind']>(
  instance: InstanceRecord<K>,
  project: Project,
  id: InstanceId,
): InstanceRecord<K> => ({
  ...instance,
  id,
  projectId: project.id,
  settings: kinds[instance.kind].copied?.(instance.settings, id) ?? instance.settings,
  connections: instance.connections
    .filter((connection) => !isPlaceholder(instance.kind, connection))
    .map(({ capture: _ended, ...connection }) => connection),
  processes: [],
  revision: 0,
})
