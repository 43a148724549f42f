import { err, ok, type Result } from 'neverthrow'
import { attempt } from '../attempt.ts'
import type { Context } from '../context.ts'
import { withDoubt } from '../doubts.ts'
import type { EmulationError } from '../emulation-error.ts'
import type { InstanceRecord } from '../instances/instance.ts'
import { removeInstance } from '../instances/remove-instance.ts'
import { commitRemovals } from './commit-removals.ts'
import type { Project } from './project.ts'

/** How many instances are stopped at the same time. */
const WIDTH = 16

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
  const { repositories, files, slots, census, doubts, captureFiles } = context
  const instances = await repositories.instances.list({ projectId: project.id })
  for (let start = 0; start < instances.length; start += WIDTH) {
    const some = instances.slice(start, start + WIDTH)
    const removed = await Promise.all(some.map((instance) => removeLocked(context, instance)))
    for (const result of removed) if (result.isErr()) return err(result.error)
  }
  if (discard) {
    const committed = await commitRemovals(context, project)
    if (committed.isErr()) return err(committed.error)
    const deleted = await attempt(() => files.removeProject(project))
    if (deleted.isErr()) return err(deleted.error)
  }
  await repositories.instances.removeProject(project.id)
  slots.removeProject(project.id)
  captureFiles.forget(project.id)
  const finish = async () => census.removeProject(project.id)
  await withDoubt(doubts, () => repositories.projects.remove(project.id), {
    wasMade: async () => (await repositories.projects.find(project.id)) === undefined,
    finish,
  })
  await finish()
  return ok(undefined)
}

// The record is read under the lock, as an exit may have changed it.
const removeLocked = (context: Context, { id }: InstanceRecord): Promise<Result<undefined, EmulationError>> =>
  context.instanceLocks.exclusive(id, async () => {
    const current = await context.repositories.instances.find(id)
    return current ? removeInstance(context, current) : ok(undefined)
  })
