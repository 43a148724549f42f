import { err, ok, type Result } from 'neverthrow'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import type { Kind } from '../kinds/kind.ts'
import type { InstanceUse } from '../projects/project-states.ts'
import type { InstanceRecord, InstanceReference } from './instance.ts'

const isOfKind = <K extends Kind>(record: InstanceRecord, kind: K): record is InstanceRecord<K> & InstanceRecord =>
  record.kind === kind

/** Finds an instance by all three parts of its reference. An absent project is reported before an absent instance. */
export async function findInstance<K extends Kind>(
  { repositories }: Context,
  { projectId, kind, id }: InstanceReference<K>,
): Promise<Result<InstanceRecord<K>, EmulationError>> {
  const record = await repositories.instances.find(id)
  if (record && isOfKind(record, kind) && record.projectId === projectId) return ok(record)
  const project = await repositories.projects.find(projectId)
  if (!project) return err({ type: 'project-not-found', projectId })
  const other = record && (await repositories.projects.find(record.projectId))
  // The name of an instance is not for the users of another owner.
  if (!record || record.kind !== kind || other?.ownerId !== project.ownerId)
    return err({ type: 'instance-not-found', kind, id })
  return err({ type: 'instance-elsewhere', kind, name: record.name, projectId })
}

/**
 * Runs a task on a stored instance, with its lock as exclusive and the lock of its project as shared. Fails where the
 * project is closed, and for a change where it is locked.
 */
export async function withInstance<K extends Kind, T>(
  context: Context,
  reference: InstanceReference<K>,
  use: InstanceUse,
  task: (record: InstanceRecord<K>) => Promise<Result<T, EmulationError>>,
): Promise<Result<T, EmulationError>> {
  await context.recovered()
  return context.projectLocks.shared(reference.projectId, () =>
    context.instanceLocks.exclusive(reference.id, async () => {
      const found = await findInstance(context, reference)
      if (found.isErr()) return err(found.error)
      const objection = context.projectStates.objection(reference.projectId, use)
      return objection ? err({ type: objection, projectId: reference.projectId }) : task(found.value)
    }),
  )
}
