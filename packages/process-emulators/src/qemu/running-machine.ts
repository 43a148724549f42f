import type {
  CloseAction,
  ConsoleEndpoint,
  DisplayEndpoint,
  MachineSettings,
  NicAddress,
  NicState,
  RunningInstance,
} from '@trivium/emulation-core/ports'
import { resourcesOf } from '../processes/process-resources.ts'
import type { EmulatorProcess } from '../processes/start-process.ts'
import { netdevId } from './command-line.ts'
import type { CpuLimit } from './cpu-limit.ts'
import type { MonitorPort } from './monitor-port.ts'
import { applyPriority } from './priority.ts'
import type { QmpClient } from './qmp-client.ts'

/** Milliseconds that QEMU has to end after its guest has shut down, in which it flushes its disks. */
const EXIT_MS = 5000

export interface RunningMachineOptions {
  readonly process: EmulatorProcess
  readonly control: QmpClient
  readonly console: ConsoleEndpoint
  readonly cpuLimit: CpuLimit
  /** The number of adapters at the start. */
  readonly adapters: number
  readonly monitor: MonitorPort
  readonly openMonitor: (port: number) => Promise<MonitorPort>
  readonly accelerator: string | undefined
  readonly display: DisplayEndpoint | undefined
  readonly closeAction: CloseAction
  /** Milliseconds that a guest has to shut down before it is stopped. */
  readonly shutdownTimeoutMs: number
  /** Called once the machine has ended. */
  readonly release: () => Promise<void>
}

export function runningMachine(options: RunningMachineOptions): RunningInstance<'machine'> {
  const { process, control, cpuLimit, adapters, openMonitor, release, accelerator, display } = options
  let { monitor, closeAction } = options
  const exited = process.exited.then(async (report) => {
    monitor.close()
    await release()
    return report
  })
  const processes = () => (process.hasExited() ? [] : [process.record, ...cpuLimit.processes])
  return {
    get processes() {
      return processes()
    },
    console: options.console,
    ...(accelerator === undefined ? {} : { accelerator }),
    ...(display && { display }),
    exited,
    stop: async () => {
      if (closeAction === 'shutdown-signal') await shutDown(options)
      await process.stop()
      await exited
    },
    suspend: async () => void (await control.execute('stop')),
    resume: async () => void (await control.execute('cont')),
    reload: async () => {
      await control.execute('system_reset')
      // A reset alone leaves a suspended machine suspended.
      await control.execute('cont')
    },
    update: async ({ settings }) => {
      const newMonitor = settings.monitor === monitor.port ? undefined : await openMonitor(settings.monitor)
      try {
        await applyLimits(process, cpuLimit, settings)
      } catch (error) {
        newMonitor?.close()
        throw error
      }
      closeAction = settings.closeAction
      if (newMonitor === undefined) return
      monitor.close()
      monitor = newMonitor
      if (process.hasExited()) monitor.close()
    },
    nicChanged: async (nic, state) => {
      // A new adapter is added at the next start.
      if (nic.adapter >= adapters) return
      // The relay does not depend on the carrier: a machine that hangs or has ended must not prevent the change.
      await setCarrier(control, nic, state).catch(() => {})
    },
    resources: () => resourcesOf(processes()),
  }
}

/** Presses the power button, and waits until the guest has shut down or the time has passed. Never rejects. */
async function shutDown({ process, control, shutdownTimeoutMs }: RunningMachineOptions): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    // Options can keep a machine that has shut down. Any other one ends by itself soon.
    control.onEvent((event) => event === 'SHUTDOWN' && setTimeout(resolve, EXIT_MS))
    void process.exited.then(() => resolve())
  })
  try {
    // A suspended guest does not see the button.
    await control.execute('cont')
    await control.execute('system_powerdown')
  } catch {
    return
  }
  let timer: NodeJS.Timeout | undefined
  await Promise.race([
    ended,
    new Promise<void>((resolve) => {
      timer = setTimeout(resolve, shutdownTimeoutMs)
    }),
  ])
  clearTimeout(timer)
}

/** Sets the priority and the processor limit of a machine. Rejects with a `Refusal` where one cannot be set. */
export async function applyLimits(
  process: EmulatorProcess,
  cpuLimit: CpuLimit,
  settings: MachineSettings,
): Promise<void> {
  await applyPriority(process.record.pid, settings.priority)
  await cpuLimit.set(settings.cpuThrottlingPercent)
}

/** Sets the carrier of the guest's link: off while the NIC is not connected or its link is down. */
export async function setCarrier(control: QmpClient, { adapter }: NicAddress, state: NicState): Promise<void> {
  await control.execute('set_link', { name: netdevId(adapter), up: state.connected && state.linkUp })
}
