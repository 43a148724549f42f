import { err, ok, type Result } from 'neverthrow'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import type { Kind } from '../kinds/kind.ts'
import type { InstanceRecord } from './instance.ts'

type Changes<K extends Kind> = Partial<
  Pick<InstanceRecord<K>, 'name' | 'settings' | 'slot' | 'connections' | 'arrangement' | 'changedAt' | 'processes'>
>

/** Whether the store has a later revision. */
export async function isSuperseded(
  { repositories }: Context,
  { id, revision }: Pick<InstanceRecord, 'id' | 'revision'>,
): Promise<boolean> {
  const stored = await repositories.instances.find(id)
  return stored !== undefined && stored.revision > revision
}

/** Finds the record of an instance where the store has exactly the next revision. */
export async function nextRecord(
  { repositories }: Context,
  { id, revision }: Pick<InstanceRecord, 'id' | 'revision'>,
): Promise<InstanceRecord | undefined> {
  const stored = await repositories.instances.find(id)
  return stored?.revision === revision + 1 ? stored : undefined
}

/**
 * Stores the next revision of an instance, with the time of the change unless only its processes have changed or
 * `changes` has another one. Fails with `instance-conflict` where the store has another revision.
 */
export async function storeInstance<K extends Kind>(
  { repositories, live, instanceCounts, now }: Context,
  record: InstanceRecord<K>,
  changes: Changes<K>,
): Promise<Result<InstanceRecord<K>, EmulationError>> {
  const isRun = Object.keys(changes).every((name) => name === 'processes')
  const changedAt = isRun ? record.changedAt : now()
  const next: InstanceRecord<K> = {
    ...record,
    ...(changedAt && { changedAt }),
    ...changes,
    revision: record.revision + 1,
  }
  if (!(await repositories.instances.replace(next))) return err({ type: 'instance-conflict', id: record.id })
  if (next.changedAt) instanceCounts.noteChange(record.projectId, next.changedAt)
  if (changes.connections) live.get(record.id)?.wiring.setConnections(changes.connections)
  return ok(next)
}
