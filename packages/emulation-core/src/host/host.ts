import { err, ok, type Result, ResultAsync } from 'neverthrow'
import { attempt } from '../attempt.ts'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import type { EmulatorCapabilities, EmulatorProgram } from '../emulators/emulator.ts'
import type { Kind } from '../kinds/kind.ts'
import type { ProjectId } from '../projects/project.ts'

/** Resources of the server's machine. */
export interface Host {
  /**
   * Reserves the lowest free UDP port for a new NIO, for `udpReservationSeconds`, and as long as a NIC of the same owner
   * points at it. Fails with `ports-exhausted`.
   *
   * @param projectId the project whose NICs alone may take it; absent: those of all projects without an owner
   */
  reserveUdpPort(projectId?: ProjectId): ResultAsync<number, EmulationError>
  /** Lists the network interfaces, as the option `interfaces` returns them. Rejects where it does. */
  interfaces(): Promise<readonly NetworkInterface[]>
  /** Reads CPU and memory usage, as the option `usage` returns them. Rejects where it does. */
  usage(): Promise<HostUsage>
  /** Lists the programs that instances of the kind may run. Empty for a kind without a choice of programs. */
  programs(kind: Kind): ResultAsync<readonly EmulatorProgram[], EmulationError>
  /** Lists the names of VMs that instances of the kind may wrap. Empty for a kind that wraps none. */
  machineNames(kind: Kind): ResultAsync<readonly string[], EmulationError>
  /** Reads what the hardware supports. Fails with `emulator-absent` for a kind without an emulator, as the lists do. */
  capabilities(kind: Kind): ResultAsync<EmulatorCapabilities, EmulationError>
}

/** A network interface that TAP and Ethernet NIOs can name. */
export interface NetworkInterface {
  /** Identifies the interface on this machine. */
  readonly id: string
  /** The name in the operating system, such as `eth0`, as NIOs have it in `device`. */
  readonly name: string
}

/** CPU and memory usage of the machine, each from 0 to 100. */
export interface HostUsage {
  /** The share of all processors that is in use. */
  readonly cpuPercent: number
  /** The share of the main memory that is in use. */
  readonly memoryPercent: number
}

/** Functions that read the state of the machine. */
export interface HostProbes {
  /** Lists the network interfaces. */
  readonly interfaces: () => Promise<readonly NetworkInterface[]>
  /** Reads CPU and memory usage, each from 0 to 100. */
  readonly usage: () => Promise<HostUsage>
}

export function createHost(context: Context, probes: HostProbes): Host {
  type EmulatorCall<T> = (emulator: NonNullable<Context['emulators'][Kind]>) => Promise<T> | undefined

  const callEmulator = async <T>(
    kind: Kind,
    call: EmulatorCall<T>,
    fallback: T,
  ): Promise<Result<T, EmulationError>> => {
    const emulator = context.emulators[kind]
    return emulator ? attempt(async () => (await call(emulator)) ?? fallback) : err({ type: 'emulator-absent', kind })
  }

  const reserve = async (projectId: ProjectId | undefined): Promise<Result<number, EmulationError>> => {
    await context.recovered()
    const project = projectId && ((await context.repositories.projects.find(projectId)) ?? { id: projectId })
    const port = await context.udpPorts.reserve(project)
    return port === undefined ? err({ type: 'ports-exhausted', use: 'udp', ...context.ports.range('udp') }) : ok(port)
  }

  return {
    ...probes,
    reserveUdpPort: (projectId) => new ResultAsync(reserve(projectId)),
    programs: (kind) =>
      new ResultAsync(callEmulator<readonly EmulatorProgram[]>(kind, (emulator) => emulator.programs?.(), [])),
    machineNames: (kind) =>
      new ResultAsync(callEmulator<readonly string[]>(kind, (emulator) => emulator.machineNames?.(), [])),
    capabilities: (kind) =>
      new ResultAsync(callEmulator(kind, (emulator) => emulator.capabilities?.(), { acceleratedArchitectures: [] })),
  }
}
