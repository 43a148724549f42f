import type { ConsoleEndpoint } from '../consoles/console-endpoint.ts'
import type { DisplayEndpoint } from '../consoles/display-endpoint.ts'
import type { ProcessRecord } from '../instances/instance.ts'
import type { StormSort } from '../kinds/ethernet-switch/settings.ts'
import type { Kind, SettingsOf } from '../kinds/kind.ts'
import type { NicAddress } from '../links/nic-address.ts'

/** An instance that runs. Methods may reject with a `Refusal`. Calls after the end have no effect. */
export interface RunningInstance<K extends Kind = Kind> {
  /** Read again after every operation, as helper processes may have started or exited. */
  readonly processes: readonly ProcessRecord[]
  /** Absent where the kind or the settings of this instance have no console. */
  readonly console?: ConsoleEndpoint
  /** The display, for viewers of VNC. Absent where the settings of this instance do not show one by VNC. */
  readonly display?: DisplayEndpoint
  /**
   * The accelerator that the emulator has chosen: `kvm`, `hvf` or `whpx`, or `tcg` where QEMU found no accelerator that
   * works. One of few values, as it is a metric label. Absent where the options of the instance have chosen it.
   */
  readonly accelerator?: string
  /** Resolves once, when the instance has ended, on its own or by {@link stop}. Never rejects. */
  readonly exited: Promise<ExitReport>
  /** Stops the instance. Resolves when all its processes have exited. */
  stop(): Promise<void>
  /** Pauses the instance until {@link resume}. Where it is absent, `suspend` fails with `action-unsupported`. */
  suspend?(): Promise<void>
  /** Continues after {@link suspend}. */
  resume?(): Promise<void>
  /** Resets the instance in place, as a reset button does. Where it is absent, the instance is stopped and started. */
  reload?(): Promise<void>
  /**
   * Applies what can change while it runs (name, priority, throttling, switch ports). The rest takes effect at the next
   * start.
   */
  update?(instance: { readonly name: string; readonly settings: SettingsOf<K> }): Promise<void>
  /**
   * Called after a NIC was connected or disconnected, or its link state has changed. A switch adds and removes its
   * ports here. A machine can show its guest whether there is a carrier. Frames pass without it.
   */
  nicChanged?(nic: NicAddress, state: NicState): Promise<void>
  /** Lists the learned addresses, for switches. The list is a copy. */
  macTable?(): Promise<readonly MacTableEntry[]>
  /** Removes the learned addresses, for switches. */
  clearMacTable?(): Promise<void>
  /** Counts the frames that the storm control of a port has dropped, for switches. */
  stormDrops?(nic: NicAddress): Promise<StormDrops>
  /**
   * Measures what its processes use now. Absent where the instance has no process of its own, or the emulator does not
   * know it. `undefined` after the end, and on systems that do not report it.
   */
  resources?(): Promise<InstanceResources | undefined>
}

/** What the processes of an instance use, helpers included. */
export interface InstanceResources {
  /**
   * CPU time since the start, in seconds: two cores that are busy for a second are 2. Decreases when a helper exits, as
   * only processes that run are counted.
   */
  readonly cpuSeconds: number
  /** Resident memory in bytes. Memory that several processes share is counted for each. */
  readonly memoryBytes: number
}

/** Frames that the storm control of a switch port has dropped, since the port was cabled. */
export type StormDrops = { readonly [Sort in StormSort]: number }

/** The state of a NIC's connection, for its guest. */
export interface NicState {
  /** Whether the NIC has a NIO. */
  readonly connected: boolean
  /** Whether the connection carries frames; `false` without a connection. */
  readonly linkUp: boolean
}

/** How an instance ended. Code and signal are absent where no process was involved. */
export interface ExitReport {
  /**
   * Absent where a signal ended the process, or where the code is unknown. 0 for a stopped instance without a process.
   */
  readonly exitCode?: number
  /** The name of the signal that ended the process, such as `SIGKILL`. */
  readonly signal?: string
  /** The end of its log, at most 4 KiB. */
  readonly log: string
}

/** An address that a switch has learned, with its VLAN and port. */
export interface MacTableEntry {
  /** Six pairs of hexadecimal digits with colons. */
  readonly mac: string
  /** The VLAN in which the address was learned, from 1 to 4,095. */
  readonly vlan: number
  /** The number of the port that the address was last seen on, from 1 to 65,535. */
  readonly port: number
}
