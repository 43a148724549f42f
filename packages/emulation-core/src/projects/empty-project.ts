import { err, ok, type Result } from 'neverthrow'
import { attempt } from '../attempt.ts'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import { inGroups } from '../in-groups.ts'
import type { InstanceRecord } from '../instances/instance.ts'
import { removeInstance } from '../instances/remove-instance.ts'
import { withPendingWrite } from '../pending-writes.ts'
import { commitRemovals } from './commit-removals.ts'
import type { Project } from './project.ts'

/**
 * Stops and removes the instances of a project, then the project. The caller holds its lock.
 *
 * @param options.discard also deletes the files of the project and its instances
 */
export async function emptyProject(
  context: Context,
  project: Project,
  { discard }: { readonly discard: boolean },
): Promise<Result<undefined, EmulationError>> {
  const { repositories, files, slots, instanceCounts, pendingWrites, captureFiles, projectStates, labRuns } = context
  // The run waits for the lock that the caller holds.
  void labRuns.end(project.id)
  const instances = await repositories.instances.list({ projectId: project.id })
  const removed = await inGroups(instances, (instance) => removeLocked(context, instance, project))
  for (const result of removed) if (result.isErr()) return err(result.error)
  if (discard) {
    const committed = await commitRemovals(context, project)
    if (committed.isErr()) return err(committed.error)
    const deleted = await attempt(() => files.removeProject(project))
    if (deleted.isErr()) return err(deleted.error)
  }
  await repositories.instances.removeProject(project.id)
  await repositories.drawings.removeProject(project.id)
  slots.removeProject(project.id)
  captureFiles.removeProject(project.id)
  const finish = async () => {
    instanceCounts.removeProject(project.id)
    projectStates.remove(project.id)
  }
  await withPendingWrite(pendingWrites, () => repositories.projects.remove(project.id), {
    wasApplied: async () => (await repositories.projects.find(project.id)) === undefined,
    finish,
  })
  await finish()
  return ok(undefined)
}

// The record is read under the lock, as an exit may have changed it.
const removeLocked = (
  context: Context,
  { id }: InstanceRecord,
  { status }: Project,
): Promise<Result<undefined, EmulationError>> =>
  context.instanceLocks.exclusive(id, async () => {
    const current = await context.repositories.instances.find(id)
    if (!current) return ok(undefined)
    return status === 'opened' ? removeInstance(context, current) : forgetInstance(context, current)
  })

/** Removes an instance of a closed project, which has no ports. */
async function forgetInstance(context: Context, { id }: InstanceRecord): Promise<Result<undefined, EmulationError>> {
  await context.repositories.instances.remove(id)
  return ok(undefined)
}
