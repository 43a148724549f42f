import { err, ok, type Result } from 'neverthrow'
import { attempt } from '../attempt.ts'
import { type ConsoleHub, createConsoleHub } from '../consoles/console-hub.ts'
import type { DisplayEndpoint } from '../consoles/display-endpoint.ts'
import { attachDisplayPortViewer } from '../consoles/display-port-viewer.ts'
import { attachTelnetViewer } from '../consoles/telnet-viewer.ts'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import type { EventPlace } from '../events/emulation-events.ts'
import type { Kind } from '../kinds/kind.ts'
import { kinds } from '../kinds/kinds.ts'
import { ServiceClosed } from '../lifetime.ts'
import { createInstanceWiring } from '../links/instance-wiring.ts'
import { withUndo } from '../with-undo.ts'
import type { InstanceRecord, ProcessRecord } from './instance.ts'
import { instanceDirectory } from './instance-directory.ts'
import { instanceFiles } from './instance-files.ts'
import type { LiveInstance, ServeConsole } from './live-instance.ts'
import { sameProcesses } from './process-record.ts'
import { endInstance } from './stop-instance.ts'
import { storeInstance } from './store-instance.ts'

type Started<K extends Kind> = Result<InstanceRecord<K>, EmulationError>

/**
 * Starts a stopped instance. The caller holds its lock.
 *
 * @param hub the console of the previous run, where its viewers are kept
 */
export function startInstance<K extends Kind>(
  context: Context,
  record: InstanceRecord<K>,
  hub: ConsoleHub = createConsoleHub(context.consoleHub),
): Promise<Started<K>> {
  if (context.closing.aborted) return Promise.reject(new ServiceClosed('emulation'))
  return withUndo(async (undo): Promise<Started<K>> => {
    const { kind, id, name, settings, connections, slot } = record
    const emulator = context.emulators[kind]
    if (!emulator) return err({ type: 'emulator-absent', kind })
    if (!kinds[kind].alwaysOn) {
      const limit = context.limits.runningInstances
      if (context.running.size >= limit) return err({ type: 'limit-reached', what: 'running instances', limit })
      context.running.add(id)
      undo(() => context.running.delete(id))
    }
    const directory = await attempt(() => instanceDirectory(context, record))
    if (directory.isErr()) return err(directory.error)

    undo(() => hub.close())
    let display: DisplayEndpoint | undefined
    const serve: ServeConsole = (connection, onRefused) =>
      portOf(record) === 'display'
        ? attachDisplayPortViewer(display, connection, onRefused)
        : attachTelnetViewer(hub, connection, onRefused)
    const listener = await listen(context, record, serve)
    if (listener.isErr()) return err(listener.error)
    undo(() => listener.value?.close())

    const definition = kinds[kind]
    const fixedNics = definition.nics(settings)
    const nics = fixedNics.length > 0 ? fixedNics : connections
    const wiring = createInstanceWiring({ relay: context.relay, instanceId: id, nics, connections })
    undo(() => wiring.unplugAll())

    let current = record
    const recorded = async (processes: readonly ProcessRecord[]) => {
      const stored = await storeInstance(context, current, { processes })
      if (stored.isOk()) current = stored.value
    }
    undo(() => (current === record ? undefined : recorded([])))
    const instance = { id, projectId: record.projectId, kind, name, settings, directory: directory.value }
    const place = { id, projectId: record.projectId, kind }
    const started = await attempt(() =>
      emulator.start(slot === undefined ? instance : { ...instance, slot }, wiring, {
        recorded,
        files: instanceFiles(context, record),
        logged: (bytes) => context.emit('instance.logged', place, bytes),
        monitorOpened: (remoteAddress) => context.emit('console.opened', place, 'monitor', remoteAddress),
        monitorRefused: () => context.emit('console.refused', place, 'monitor'),
      }),
    )
    if (started.isErr()) return err(started.error)

    const running = started.value
    undo(() => running.stop())
    display = running.display
    if (running.console) hub.connect(running.console)
    if (!sameProcesses(current.processes, running.processes)) await recorded(running.processes)
    const { projectId } = record
    const live: LiveInstance = {
      kind,
      projectId,
      running,
      wiring,
      hub,
      serve,
      listener: listener.value,
      state: 'started',
    }
    context.live.set(id, live)
    context.liveCounts.countStart(live)
    running.exited.then((exit) => endInstance(context, record, live, exit)).catch(context.onFault)
    return ok(current)
  })
}

/** Opens the public port of the console, where the instance has one. */
async function listen<K extends Kind>(context: Context, record: InstanceRecord<K>, serve: ServeConsole) {
  const { kind, settings } = record
  const definition = kinds[kind]
  const { console: port } = definition.portsOf(settings)
  if (port === undefined || !definition.hasConsole(settings)) return ok(undefined)
  return attempt(() => listenOn(context, record, port, serve))
}

const portOf = <K extends Kind>({ kind, settings }: InstanceRecord<K>) => kinds[kind].consolePort?.(settings) ?? 'text'

export const listenOn = (
  { consoles, emit }: Pick<Context, 'consoles' | 'emit'>,
  { id, projectId, kind }: EventPlace,
  port: number,
  serve: ServeConsole,
) =>
  consoles.listen(port, (connection) => {
    const place = { id, projectId, kind }
    emit('console.opened', place, 'console', connection.remoteAddress)
    return serve(connection, () => emit('console.refused', place, 'console'))
  })
