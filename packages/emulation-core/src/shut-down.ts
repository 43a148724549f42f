import type { Context } from './context.ts'
import type { InstanceId } from './instances/instance.ts'
import { endRun, stopInstance } from './instances/stop-instance.ts'
import { endEach } from './lifetime.ts'

/** Stops every instance, also one whose start is under way, then closes the relay and the emulators. */
export async function shutDown(context: Context): Promise<void> {
  const { live, instanceLocks, labRuns, relay, emulators, onFault } = context
  labRuns.endAll()
  const open = new Set([...live.keys(), ...instanceLocks.keys()])
  await Promise.all([...open].map((id) => stop(context, id)))
  await endEach(onFault, () => relay.close())
  await Promise.all(Object.values(emulators).map((emulator) => endEach(onFault, () => emulator.close?.())))
}

// Processes must not outlive the server, also while the store is unavailable. The next start clears the record.
const stop = (context: Context, id: InstanceId): Promise<void> =>
  context.instanceLocks.exclusive(id, async () => {
    try {
      const record = await context.repositories.instances.find(id)
      const stopped = record && (await stopInstance(context, record))
      if (stopped?.isErr()) context.onFault(stopped.error)
    } catch (fault) {
      context.onFault(fault)
    }
    const left = context.live.get(id)
    if (left) await endRun(context, id, left).catch(context.onFault)
  })
