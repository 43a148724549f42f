import type { Context } from './context.ts'
import type { InstanceId } from './instances/instance.ts'
import { endRun, stopInstance } from './instances/stop-instance.ts'

/** Stops every instance, then closes what they ran on. */
export async function shutDown(context: Context): Promise<void> {
  await Promise.all([...context.live.keys()].map((id) => stop(context, id)))
  await context.relay.close()
  await Promise.all(Object.values(context.emulators).map((emulator) => emulator.close?.()))
}

/** Also while the store is away: what runs must not outlive the server. The next start clears the record. */
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
