import { err, ok, type Result, ResultAsync } from 'neverthrow'
import { attempt } from '../attempt.ts'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import type { EmulatorCapabilities, EmulatorProgram } from '../emulators/emulator.ts'
import type { Kind } from '../kinds/kind.ts'

/** Resources of the server's machine. */
export interface Host {
  /** Reserves a UDP port for a new NIO, for `udpReservationSeconds`. */
  reserveUdpPort(): ResultAsync<number, EmulationError>
  interfaces(): Promise<readonly NetworkInterface[]>
  usage(): Promise<HostUsage>
  /** Lists the programs that instances of the kind may run. */
  programs(kind: Kind): ResultAsync<readonly EmulatorProgram[], EmulationError>
  /** Lists the names of VMs that instances of the kind may wrap. */
  machineNames(kind: Kind): ResultAsync<readonly string[], EmulationError>
  capabilities(kind: Kind): ResultAsync<EmulatorCapabilities, EmulationError>
}

/** A network interface that TAP and Ethernet NIOs can name. */
export interface NetworkInterface {
  readonly id: string
  readonly name: string
}

/** CPU and memory usage of the machine, each from 0 to 100. */
export interface HostUsage {
  readonly cpuPercent: number
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
  type Ask<T> = (emulator: NonNullable<Context['emulators'][Kind]>) => Promise<T> | undefined

  const ask = async <T>(kind: Kind, question: Ask<T>, nothing: T): Promise<Result<T, EmulationError>> => {
    const emulator = context.emulators[kind]
    return emulator
      ? attempt(async () => (await question(emulator)) ?? nothing)
      : err({ type: 'emulator-absent', kind })
  }

  const reserve = async (): Promise<Result<number, EmulationError>> => {
    await context.recovered()
    const port = await context.udpPorts.reserve()
    return port === undefined ? err({ type: 'ports-exhausted', use: 'udp', ...context.ports.range('udp') }) : ok(port)
  }

  return {
    ...probes,
    reserveUdpPort: () => new ResultAsync(reserve()),
    programs: (kind) => new ResultAsync(ask<readonly EmulatorProgram[]>(kind, (emulator) => emulator.programs?.(), [])),
    machineNames: (kind) => new ResultAsync(ask<readonly string[]>(kind, (emulator) => emulator.machineNames?.(), [])),
    capabilities: (kind) =>
      new ResultAsync(ask(kind, (emulator) => emulator.capabilities?.(), { acceleratedArchitectures: [] })),
  }
}
