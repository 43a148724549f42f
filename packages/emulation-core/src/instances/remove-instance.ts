import { err, ok, type Result } from 'neverthrow'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import type { Kind } from '../kinds/kind.ts'
import { withPendingWrite } from '../pending-writes.ts'
import type { InstanceRecord } from './instance.ts'
import { releaseInstance } from './release-instance.ts'
import { stopInstance } from './stop-instance.ts'

/**
 * Stops and removes an instance, and frees its ports, slot and connections. Its files stay. The caller holds its lock.
 */
export async function removeInstance<K extends Kind>(
  context: Context,
  record: InstanceRecord<K>,
): Promise<Result<undefined, EmulationError>> {
  const stopped = await stopInstance(context, record)
  if (stopped.isErr()) return err(stopped.error)
  const { instances } = context.repositories
  const finish = () => free(context, stopped.value)
  await withPendingWrite(context.pendingWrites, () => instances.remove(record.id), {
    wasApplied: async () => (await instances.find(record.id)) === undefined,
    finish,
  })
  await finish()
  return ok(undefined)
}

async function free<K extends Kind>(context: Context, record: InstanceRecord<K>): Promise<void> {
  context.instanceCounts.removeInstance(record.projectId)
  await releaseInstance(context, record)
}
