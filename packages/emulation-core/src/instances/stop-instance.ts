import { err, ok, type Result } from 'neverthrow'
import { attempt } from '../attempt.ts'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import type { ExitReport } from '../emulators/running-instance.ts'
import type { Kind } from '../kinds/kind.ts'
import { withPendingWrite } from '../pending-writes.ts'
import type { InstanceId, InstanceRecord } from './instance.ts'
import type { LiveInstance } from './live-instance.ts'
import { presentInstance } from './present-instance.ts'
import { storeInstance } from './store-instance.ts'

/**
 * Stops an instance if it runs, and closes its console and wiring. `keepViewers` keeps the viewers of its console
 * connected. The caller holds its lock.
 */
export async function stopInstance<K extends Kind>(
  context: Context,
  record: InstanceRecord<K>,
  { keepViewers = false }: { readonly keepViewers?: boolean } = {},
): Promise<Result<InstanceRecord<K>, EmulationError>> {
  const live = context.live.get(record.id)
  if (!live) return ok(record)
  const ended = await attempt(() => endRun(context, record.id, live, keepViewers))
  if (ended.isErr()) return err(ended.error)
  const { id } = record
  return withPendingEnd(context, { id, exit: ended.value, unexpected: false }, async () => {
    const stored = await clearProcesses(context, record)
    if (stored.isOk()) await emitStopped(context, stored.value, ended.value, false)
    return stored
  })
}

/** Stops a running instance without a write to the store. */
export async function endRun(
  context: Context,
  id: InstanceId,
  live: LiveInstance,
  keepViewers = false,
): Promise<ExitReport> {
  await live.running.stop()
  const exit = await live.running.exited
  await release(context, id, live, keepViewers)
  return exit
}

/** Handles an instance that has ended by itself. */
export function endInstance(
  context: Context,
  { id }: Pick<InstanceRecord, 'id'>,
  live: LiveInstance,
  exit: ExitReport,
): Promise<void> {
  return context.instanceLocks.exclusive(id, async () => {
    if (context.live.get(id) !== live) return
    await release(context, id, live, false)
    const end: RunEnd = { id, exit, unexpected: true }
    await withPendingEnd(context, end, () => storeEnd(context, end))
  })
}

/** The end of a run. */
interface RunEnd {
  readonly id: InstanceId
  readonly exit: ExitReport
  readonly unexpected: boolean
}

/** Runs the task. Where the store is unavailable, the end is stored and reported once it is available again. */
const withPendingEnd = <T>(context: Context, end: RunEnd, task: () => Promise<T>): Promise<T> =>
  withPendingWrite(context.pendingWrites, task, {
    wasApplied: async () => (await context.repositories.instances.find(end.id)) !== undefined,
    finish: () => storeEnd(context, end),
  })

async function storeEnd(context: Context, { id, exit, unexpected }: RunEnd): Promise<void> {
  const record = await context.repositories.instances.find(id)
  // The instance may have been started again since.
  if (!record || context.live.has(id)) return
  const stored = await clearProcesses(context, record)
  await emitStopped(context, stored.unwrapOr(record), exit, unexpected)
}

async function release(context: Context, id: InstanceId, ended: LiveInstance, keepViewers: boolean): Promise<void> {
  context.live.delete(id)
  context.liveCounts.countEnd(ended)
  context.running.delete(id)
  await ended.listener?.close()
  if (!keepViewers) ended.hub.close()
  await ended.wiring.unplugAll()
}

const clearProcesses = async <K extends Kind>(context: Context, record: InstanceRecord<K>) =>
  record.processes.length === 0 ? ok(record) : storeInstance(context, record, { processes: [] })

async function emitStopped(
  context: Context,
  record: InstanceRecord,
  exit: ExitReport,
  unexpected: boolean,
): Promise<void> {
  context.emit('instance.stopped', await presentInstance(context, record), { unexpected, exit })
  if (!unexpected) return
  const how = exit.signal === undefined ? `return code ${exit.exitCode ?? 'unknown'}` : `signal ${exit.signal}`
  const message = `${record.name} has stopped by itself, ${how}${exit.log === '' ? '' : `:\n${exit.log}`}`
  context.emit('log', { projectId: record.projectId, level: exit.exitCode === 0 ? 'warning' : 'error', message })
}
