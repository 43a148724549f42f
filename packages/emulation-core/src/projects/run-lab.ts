import type { ResultAsync } from 'neverthrow'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import { inGroups } from '../in-groups.ts'
import type { InstanceRecord, InstanceReference } from '../instances/instance.ts'
import type { Lifecycle } from '../instances/lifecycle.ts'
import { kinds } from '../kinds/kinds.ts'
import type { LabRun, LabRunFailure } from './lab-runs.ts'
import type { ProjectId } from './project.ts'

/**
 * Starts the instances of a project that do not run: those with the lowest start order first, each after its delay, and
 * the next ones when all of those have started or failed.
 *
 * @param signal ends the start: instances that have not begun to start stay stopped
 */
export async function startLab(
  context: Context,
  lifecycle: Pick<Lifecycle, 'start'>,
  id: ProjectId,
  signal: AbortSignal,
): Promise<LabRun> {
  const instances = (await stoppable(context, id)).filter(
    (instance) => context.live.get(instance.id)?.state !== 'started',
  )
  const outcomes: LabRunOutcome[] = []
  for (const order of [...new Set(instances.map(orderOf))].sort((one, other) => one - other)) {
    const group = instances.filter((instance) => orderOf(instance) === order)
    const started = await Promise.all(
      delaysOf(group).map(async ([seconds, delayed]) => {
        if (seconds > 0) await wait(seconds, signal)
        return inGroups(delayed, (instance) => run(instance, signal, lifecycle.start))
      }),
    )
    outcomes.push(...started.flat(2))
  }
  return summary(outcomes)
}

/** Stops the instances of a project, those with the highest start order first. */
export async function stopLab(context: Context, lifecycle: Pick<Lifecycle, 'stop'>, id: ProjectId): Promise<LabRun> {
  await context.labRuns.end(id)
  // An instance whose lock is held may be one that another request is starting.
  const held = new Set(context.instanceLocks.keys())
  const instances = (await stoppable(context, id)).filter(
    (instance) => context.live.has(instance.id) || held.has(instance.id),
  )
  instances.sort((one, other) => orderOf(other) - orderOf(one))
  const never = new AbortController().signal
  return summary((await inGroups(instances, (instance) => run(instance, never, lifecycle.stop))).flat())
}

const orderOf = ({ arrangement }: InstanceRecord) => arrangement?.startOrder ?? 0

type LabRunOutcome = 'changed' | LabRunFailure

const summary = (outcomes: readonly LabRunOutcome[]): LabRun => ({
  changed: outcomes.filter((outcome) => outcome === 'changed').length,
  failed: outcomes.flatMap((outcome) => (outcome === 'changed' ? [] : [outcome])),
})

const stoppable = async ({ repositories }: Context, projectId: ProjectId): Promise<InstanceRecord[]> =>
  (await repositories.instances.list({ projectId })).filter(({ kind }) => !kinds[kind].alwaysOn)

/** Groups instances by their delays. */
function delaysOf(instances: readonly InstanceRecord[]): readonly (readonly [number, readonly InstanceRecord[]])[] {
  const delayOf = ({ arrangement }: InstanceRecord) => arrangement?.startDelaySeconds ?? 0
  return [...new Set(instances.map(delayOf))].map((seconds) => [
    seconds,
    instances.filter((instance) => delayOf(instance) === seconds),
  ])
}

/** @returns nothing where the signal has aborted, or the instance was removed since */
async function run(
  instance: InstanceRecord,
  signal: AbortSignal,
  action: (reference: InstanceReference) => ResultAsync<unknown, EmulationError>,
): Promise<readonly LabRunOutcome[]> {
  if (signal.aborted) return []
  const done = await action(instance)
  if (done.isOk()) return ['changed']
  return done.error.type === 'instance-not-found' ? [] : [{ instance, error: done.error }]
}

/** Resolves after the time, or when the signal aborts. */
const wait = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end)
      resolve()
    }, seconds * 1000)
    signal.addEventListener('abort', end, { once: true })
  })
