import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { InstanceId } from '@trivium/emulation-core'
import type {
  DisplayProtocol,
  MachineSettings,
  RunningInstance,
  StartOptions,
  Wiring,
} from '@trivium/emulation-core/ports'
import type { ProcessEnvironment } from '../processes/process-environment.ts'
import { startProcess } from '../processes/start-process.ts'
import { createStreamConsole } from '../processes/stream-console.ts'
import { waitUntilReady } from '../processes/wait-until-ready.ts'
import { displaySockets } from './command-line.ts'
import { createCpuLimit } from './cpu-limit.ts'
import { type MonitorPort, openMonitorPort } from './monitor-port.ts'
import { createQmpClient } from './qmp-client.ts'
import { applyLimits, runningMachine, setCarrier } from './running-machine.ts'
import { socketDisplay } from './socket-display.ts'

export interface StartMachineOptions {
  readonly instanceId: InstanceId
  readonly directory: string
  readonly settings: MachineSettings
  readonly program: string
  readonly parameters: (sockets: {
    readonly controlSocket: number
    readonly consoleSocket: number
  }) => readonly string[]
  readonly wiring: Wiring
  readonly options: StartOptions
  readonly directories: readonly string[]
  readonly environment: ProcessEnvironment
  /** Whether the monitor allows every command. */
  readonly trusted: boolean
  readonly version: string
  /** The accelerator. `undefined` where the options of the machine set it. */
  readonly accelerator: string | undefined
  readonly timeoutMs: number
  /** Milliseconds that a guest has to shut down. */
  readonly shutdownTimeoutMs: number
  /** Called once the machine has ended, but not when the start rejects. */
  readonly release: () => Promise<void>
}

function displayProtocol({ consoleType }: MachineSettings): DisplayProtocol | undefined {
  if (consoleType === 'vnc') return 'vnc'
  return consoleType === 'spice' || consoleType === 'spice+agent' ? 'spice' : undefined
}

/** The first descriptors, 0 to 2, are the standard ones. */
const CONTROL_SOCKET = 3
const CONSOLE_SOCKET = 4

/** Milliseconds to end, in which QEMU flushes its disks. */
const GRACE_MS = 10_000

/** Starts the process and opens its control connection, serial console and monitor. Ends it when one fails. */
export async function startMachine(machine: StartMachineOptions): Promise<RunningInstance<'machine'>> {
  const { instanceId, directory, settings, program, directories, environment, options, wiring } = machine
  const process = await startProcess({
    program,
    parameters: machine.parameters({ controlSocket: CONTROL_SOCKET, consoleSocket: CONSOLE_SOCKET }),
    directory,
    logFile: 'qemu.log',
    logged: options.logged,
    environment,
    instanceId,
    terminal: 'log',
    sockets: 2,
    graceMs: GRACE_MS,
  })
  const [controlSocket, serial] = process.sockets
  if (controlSocket === undefined || serial === undefined) throw new Error('A spawned process lacks its sockets')
  const control = createQmpClient({ socket: controlSocket })
  const console = createStreamConsole({ input: serial, output: serial })
  await waitUntilReady({
    process,
    title: `QEMU ${program}`,
    options,
    answers: control.ready,
    timeoutMs: machine.timeoutMs,
  })

  const cpuLimit = createCpuLimit({
    directories,
    environment,
    directory,
    instanceId,
    target: process,
    logged: options.logged,
  })
  const openMonitor = (port: number) =>
    openMonitorPort({
      port,
      greeting: `QEMU ${machine.version} monitor - type 'help' for more information`,
      run: async (line) => String(await control.execute('human-monitor-command', { 'command-line': line })),
      trusted: machine.trusted,
      onOpened: options.monitorOpened,
      onRefused: options.monitorRefused,
    })
  let monitor: MonitorPort | undefined
  try {
    monitor = await openMonitor(settings.monitor)
    for (const nic of wiring.nics) {
      const state = wiring.state(nic)
      if (!state.connected || !state.linkUp) await setCarrier(control, nic, state)
    }
    await applyLimits(process, cpuLimit, settings)
    if (cpuLimit.processes.length > 0) await options.recorded([process.record, ...cpuLimit.processes])
  } catch (error) {
    monitor?.close()
    await process.stop()
    throw error
  }
  const protocol = displayProtocol(settings)
  return runningMachine({
    process,
    control,
    console,
    cpuLimit,
    adapters: wiring.nics.length,
    monitor,
    openMonitor,
    accelerator: machine.accelerator,
    display: protocol && socketDisplay(protocol, join(directory, displaySockets[protocol])),
    closeAction: settings.closeAction,
    shutdownTimeoutMs: machine.shutdownTimeoutMs,
    release: async () => {
      await cpuLimit.set(0)
      if (protocol) await rm(join(directory, displaySockets[protocol]), { force: true })
      await machine.release()
    },
  })
}
