import type { OrphanedInstance, ProcessRecord } from '@trivium/emulation-core/ports'
import { type EndOptions, endProcesses } from './end-processes.ts'
import { INSTANCE_VARIABLE, SERVER_VARIABLE } from './process-environment.ts'
import { findByEnvironment, parentOf, sharesNumbers } from './process-identity.ts'

const defaultEndOptions: EndOptions = { graceMs: 3000 }

/**
 * Ends the processes of these instances that still run after a crash: the recorded ones, and every process with the id
 * of one of the instances in its environment.
 */
export async function endOrphans(
  instances: readonly OrphanedInstance[],
  options: EndOptions = defaultEndOptions,
): Promise<void> {
  if (instances.length === 0) return
  const ids = new Set<string>(instances.map(({ id }) => id))
  const marked = (await findByEnvironment(INSTANCE_VARIABLE)).filter(({ value }) => ids.has(value))
  const processes = new Map<number, ProcessRecord>()
  for (const process of instances.flatMap((stray) => stray.processes)) processes.set(process.pid, process)
  for (const { process } of marked) processes.set(process.pid, process)
  await endProcesses([...processes.values()], options)
}

/**
 * Ends the helpers of servers that have ended. Such a helper has another parent by then. A server in a container sees
 * other numbers, so that its helpers are left to it.
 */
export async function endOrphanedHelpers(): Promise<void> {
  const orphans: ProcessRecord[] = []
  for (const { value, process } of await findByEnvironment(SERVER_VARIABLE)) {
    if ((await parentOf(process)) !== value && (await sharesNumbers(process))) orphans.push(process)
  }
  await endProcesses(orphans, { graceMs: 0 })
}
