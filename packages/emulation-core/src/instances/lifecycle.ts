import { err, ok, type Result, ResultAsync } from 'neverthrow'
import { attempt } from '../attempt.ts'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import type { Kind } from '../kinds/kind.ts'
import { withUndo } from '../with-undo.ts'
import { withInstance } from './find-instance.ts'
import type { Instance, InstanceRecord, InstanceReference } from './instance.ts'
import type { LiveInstance } from './live-instance.ts'
import { presentInstance } from './present-instance.ts'
import { sameProcesses } from './process-record.ts'
import { startInstance } from './start-instance.ts'
import { stopInstance } from './stop-instance.ts'
import { storeInstance } from './store-instance.ts'

/** Starts and stops instances. Each method returns the instance as it is afterwards. */
export interface Lifecycle {
  /** Starts or resumes an instance. No effect on a running one. Fails where its process exits immediately. */
  start<K extends Kind>(reference: InstanceReference<K>): ResultAsync<Instance<K>, EmulationError>
  /** Stops an instance. No effect on a stopped one. */
  stop<K extends Kind>(reference: InstanceReference<K>): ResultAsync<Instance<K>, EmulationError>
  /** Suspends a running instance. Fails with `action-unsupported` where its emulator cannot. */
  suspend<K extends Kind>(reference: InstanceReference<K>): ResultAsync<Instance<K>, EmulationError>
  /** Resumes a suspended instance. No effect on a running one. */
  resume<K extends Kind>(reference: InstanceReference<K>): ResultAsync<Instance<K>, EmulationError>
  /**
   * Resets an instance in place, or stops and starts it. Starts a stopped one. Viewers of the console stay connected.
   */
  reload<K extends Kind>(reference: InstanceReference<K>): ResultAsync<Instance<K>, EmulationError>
}

export function createLifecycle(context: Context): Lifecycle {
  type Outcome<K extends Kind> = Promise<Result<InstanceRecord<K>, EmulationError>>

  const withLive =
    (action: <K extends Kind>(record: InstanceRecord<K>, live: LiveInstance | undefined) => Outcome<K>) =>
    <K extends Kind>(reference: InstanceReference<K>): ResultAsync<Instance<K>, EmulationError> =>
      new ResultAsync(
        withInstance(context, reference, 'run', async (record) => {
          const done = await action(record, context.live.get(record.id))
          return done.isErr() ? err(done.error) : ok(await presentInstance(context, done.value))
        }),
      )

  /** Suspends or resumes a running instance, and stores its processes. */
  const control = async <K extends Kind>(
    record: InstanceRecord<K>,
    live: LiveInstance,
    action: 'suspend' | 'resume',
    event: 'instance.suspended' | 'instance.resumed',
  ): Outcome<K> => {
    const { kind, name } = record
    const run = live.running[action]
    if (!run) return err({ type: 'action-unsupported', kind, name, action })
    const done = await attempt(() => run.call(live.running))
    if (done.isErr()) return err(done.error)
    live.state = action === 'suspend' ? 'suspended' : 'started'
    const stored = await storeProcesses(context, record, live)
    if (stored.isOk()) context.emit(event, await presentInstance(context, stored.value))
    return stored
  }

  const start = async <K extends Kind>(record: InstanceRecord<K>, hub?: LiveInstance['hub']): Outcome<K> => {
    const started = await startInstance(context, record, hub)
    const accelerator = context.live.get(record.id)?.running.accelerator
    if (started.isOk()) {
      const instance = await presentInstance(context, started.value)
      context.emit('instance.started', instance, accelerator === undefined ? {} : { accelerator })
    }
    return started
  }

  const resume = async <K extends Kind>(record: InstanceRecord<K>, live: LiveInstance): Outcome<K> =>
    live.state === 'started' ? ok(record) : control(record, live, 'resume', 'instance.resumed')

  const notStarted = ({ kind, name }: InstanceRecord) => err({ type: 'instance-not-started', kind, name } as const)

  return {
    start: withLive((record, live) => (live ? resume(record, live) : start(record))),
    stop: withLive((record) => stopInstance(context, record)),
    suspend: withLive(async (record, live) => {
      if (!live) return notStarted(record)
      return live.state === 'suspended' ? ok(record) : control(record, live, 'suspend', 'instance.suspended')
    }),
    resume: withLive(async (record, live) => (live ? resume(record, live) : notStarted(record))),
    reload: withLive(async (record, live) => {
      if (!live) return start(record)
      const { running } = live
      if (!running.reload) {
        return withUndo(async (undo) => {
          undo(() => context.live.has(record.id) || live.hub.close())
          const stopped = await stopInstance(context, record, { keepViewers: true })
          return stopped.isErr() ? stopped : start(stopped.value, live.hub)
        })
      }
      const done = await attempt(async () => running.reload?.())
      if (done.isErr()) return err(done.error)
      const wasSuspended = live.state === 'suspended'
      live.state = 'started'
      const stored = await storeProcesses(context, record, live)
      if (wasSuspended && stored.isOk()) context.emit('instance.resumed', await presentInstance(context, stored.value))
      return stored
    }),
  }
}

/** Stores the processes of a running instance where they have changed. */
async function storeProcesses<K extends Kind>(
  context: Context,
  record: InstanceRecord<K>,
  { running: { processes } }: LiveInstance,
): Promise<Result<InstanceRecord<K>, EmulationError>> {
  return sameProcesses(record.processes, processes) ? ok(record) : storeInstance(context, record, { processes })
}
