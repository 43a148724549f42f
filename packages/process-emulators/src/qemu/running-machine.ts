import type {
  ConsoleEndpoint,
  MachineSettings,
  NicAddress,
  NicState,
  RunningInstance,
} from '@trivium/emulation-core/ports'
import type { EmulatorProcess } from '../processes/start-process.ts'
import { netdevId } from './command-line.ts'
import type { CpuLimit } from './cpu-limit.ts'
import type { MonitorPort } from './monitor-port.ts'
import { applyPriority } from './priority.ts'
import type { QmpClient } from './qmp-client.ts'

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
  /** Called once the machine has ended. */
  readonly release: () => Promise<void>
}

export function runningMachine(options: RunningMachineOptions): RunningInstance<'machine'> {
  const { process, control, cpuLimit, adapters, openMonitor, release, accelerator } = options
  let { monitor } = options
  const exited = process.exited.then(async (report) => {
    monitor.close()
    await release()
    return report
  })
  return {
    get processes() {
      return process.hasExited() ? [] : [process.record, ...cpuLimit.processes]
    },
    console: options.console,
    ...(accelerator === undefined ? {} : { accelerator }),
    exited,
    stop: async () => {
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
  }
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
