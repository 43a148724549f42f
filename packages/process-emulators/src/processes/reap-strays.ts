import type { ProcessRecord, StrayInstance } from '@trivium/emulation-core'
import { type EndOptions, endProcesses } from './end-processes.ts'
import { INSTANCE_VARIABLE } from './process-environment.ts'
import { findByEnvironment } from './process-identity.ts'

const GRACE: EndOptions = { graceMilliseconds: 3000 }

/**
 * Ends what a crash left of these instances: the recorded processes where they are still the same ones, and every
 * process that carries one of the instances' ids in its environment.
 */
export async function reapStrays(strays: readonly StrayInstance[], options: EndOptions = GRACE): Promise<void> {
  if (strays.length === 0) return
  const ids = new Set<string>(strays.map(({ id }) => id))
  const marked = (await findByEnvironment(INSTANCE_VARIABLE)).filter(({ value }) => ids.has(value))
  const processes = new Map<number, ProcessRecord>()
  for (const process of strays.flatMap((stray) => stray.processes)) processes.set(process.pid, process)
  for (const { process } of marked) processes.set(process.pid, process)
  await endProcesses([...processes.values()], options)
}
