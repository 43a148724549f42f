import { err, ok, type Result } from 'neverthrow'
import { attempt } from '../attempt.ts'
import { afterCalls } from '../calls-in-turn.ts'
import type { Context } from '../context.ts'
import type { RefusedError } from '../emulation-error.ts'
import type { InstanceRecord } from '../instances/instance.ts'
import type { Project } from './project.ts'

/** Deletes the files of removed instances. The caller holds the project's lock. */
export async function commitRemovals(context: Context, project: Project): Promise<Result<undefined, RefusedError>> {
  const { instances } = context.repositories
  for (const [index, removal] of (await instances.removals(project.id)).entries()) {
    await afterCalls(index)
    const discarded = await discardFiles(context, project, removal)
    if (discarded.isErr()) return err(discarded.error)
    await instances.commit(removal)
  }
  return ok(undefined)
}

/**
 * Deletes the data of a stopped instance, in its emulator and in its directory. Where the emulator refuses, as when its
 * program was uninstalled, the files are deleted nevertheless, and a log line is emitted.
 */
export async function discardFiles(
  { files, emulators, emit }: Context,
  project: Project,
  { kind, id }: Pick<InstanceRecord, 'kind' | 'id'>,
): Promise<Result<void, RefusedError>> {
  const directory = { project, kind, id }
  const undone = await attempt(async () => emulators[kind]?.remove?.({ id, directory: files.instancePath(directory) }))
  if (undone.isErr()) emit('log', { projectId: project.id, level: 'warning', message: undone.error.message })
  return attempt(() => files.removeInstance(directory))
}
