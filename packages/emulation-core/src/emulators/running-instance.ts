import type { ConsoleEndpoint } from '../consoles/console-endpoint.ts'
import type { ProcessRecord } from '../instances/instance.ts'
import type { Kind, SettingsOf } from '../kinds/kind.ts'
import type { NicAddress } from '../links/nic-address.ts'

/** An instance that runs. Methods may reject with a `Refusal`; calls after the end are harmless. */
export interface RunningInstance<K extends Kind = Kind> {
  /** Read again after every operation: helpers may have come or gone. */
  readonly processes: readonly ProcessRecord[]
  /** Absent where the kind, or this instance's settings, have no console. */
  readonly console?: ConsoleEndpoint
  /**
   * What carries out its instructions, where the emulator has chosen it: `kvm`, or `tcg` where QEMU found none that
   * works. One of few values.
   */
  readonly accelerator?: string
  /** Resolves once, when the instance has ended, on its own or by {@link stop}. Never rejects. */
  readonly exited: Promise<ExitReport>
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>
  /** For kinds that can be suspended. */
  suspend?(): Promise<void>
  resume?(): Promise<void>
  /** As a reset button: the same instance starts anew. Where it is absent, the instance is stopped and started. */
  reload?(): Promise<void>
  /** Applies what can change while it runs (name, priority, throttling, switch ports); the rest waits for a start. */
  update?(instance: { readonly name: string; readonly settings: SettingsOf<K> }): Promise<void>
  /**
   * A NIC was cabled, unplugged, or its link changed. A switch makes and removes its ports here; a machine can
   * show its guest whether there is a carrier. Wiring works without it.
   */
  nicChanged?(nic: NicAddress, state: NicState): Promise<void>
  /** For switches. */
  macTable?(): readonly MacTableEntry[]
  clearMacTable?(): void
}

/** What the emulator should show its guest of a cable. */
export interface NicState {
  readonly connected: boolean
  readonly linkUp: boolean
}

/** How an instance ended. Neither code nor signal is set where no process was involved. */
export interface ExitReport {
  readonly exitCode?: number
  readonly signal?: string
  /** The end of what it had to say, at most 4 KiB. */
  readonly log: string
}

/** An address that a switch has learned, and where. */
export interface MacTableEntry {
  /** Six pairs of hexadecimal digits with colons. */
  readonly mac: string
  readonly vlan: number
  readonly port: number
}
