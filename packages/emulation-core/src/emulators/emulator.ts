import type { InstanceId, InstanceRecord, ProcessRecord } from '../instances/instance.ts'
import type { Kind, SettingsOf } from '../kinds/kind.ts'
import type { ProjectId } from '../projects/project.ts'
import type { RunningInstance } from './running-instance.ts'
import type { Wiring } from './wiring.ts'

/**
 * What makes instances of one kind run. The caller serialises everything that concerns one instance; different
 * instances come at the same time. Every method may reject with a `Refusal`, whose message the client sees.
 */
export interface Emulator<K extends Kind = Kind> {
  readonly kind: K
  /**
   * Checks what a request names (programs, images, options) against the host's allow-list, at create and at update,
   * without needing the program to be installed. Leaves nothing behind.
   *
   * @returns the settings to keep, with relative paths made absolute
   */
  check?(settings: SettingsOf<K>): Promise<SettingsOf<K>>
  /**
   * Resolves when the instance runs and its console answers; rejects, with nothing left running, when its process
   * ends at once, with an excerpt of its log. Calls `recorded` before it resolves, as soon as a process exists.
   */
  start(instance: EmulatedInstance<K>, wiring: Wiring, options: StartOptions): Promise<RunningInstance<K>>
  /** Runs before the files of a stopped instance are deleted for good: undoes what starts made outside its directory. */
  remove?(instance: { readonly id: InstanceId; readonly directory: string }): Promise<void>
  /**
   * Ends what a crash of the server left: the recorded processes where they are still the same, and any other process
   * that this emulator can recognise as one of those instances'. Reports nothing: what is gone already is fine.
   */
  reap?(strays: readonly StrayInstance[]): Promise<void>
  /** Programs that the host allows and has, for kinds that run a program of the client's choice. */
  programs?(): Promise<readonly EmulatorProgram[]>
  /** Names of VMs that a client may wrap, for kinds that wrap existing ones. */
  machineNames?(): Promise<readonly string[]>
  /** What the host's hardware gives, proved rather than assumed. */
  capabilities?(): Promise<EmulatorCapabilities>
  /** Ends what the emulator itself keeps open. Instances were stopped before. */
  close?(): Promise<void>
}

/** An instance as emulators see it. */
export interface EmulatedInstance<K extends Kind = Kind>
  extends Pick<InstanceRecord<K>, 'id' | 'projectId' | 'kind' | 'name' | 'settings' | 'slot'> {
  /** Absolute, existing, of this instance alone. Startup scripts and initial configurations are in it. */
  readonly directory: string
}

/** What a start gives the emulator beside the instance. */
export interface StartOptions {
  /** Stores the instance's processes, so that a crash can't lose them. Resolves when they are stored. */
  readonly recorded: (processes: readonly ProcessRecord[]) => Promise<void>
  /** Reports bytes that were written to a log in the instance's directory. */
  readonly logged?: (bytes: number) => void
  /** Reports a connection to a monitor, and where it comes from. */
  readonly monitorOpened?: (remoteAddress: string | undefined) => void
  /** Reports a connection to a monitor that was closed because a web page spoke. */
  readonly monitorRefused?: () => void
}

/** An instance that ran when the server crashed, to be cleaned up. */
export interface StrayInstance {
  readonly id: InstanceId
  readonly projectId: ProjectId
  /** Absolute; it may be deleted already. */
  readonly directory: string
  /** Empty where the crash came before anything was recorded. */
  readonly processes: readonly ProcessRecord[]
}

/** A program that instances may name. */
export interface EmulatorProgram {
  /** Absolute. */
  readonly path: string
  readonly version: string
}

/** What the emulator can do on this machine. */
export interface EmulatorCapabilities {
  /** Architectures for which acceleration works on this host. */
  readonly acceleratedArchitectures: readonly string[]
}

/** The emulator of each kind. A kind without one can be created, read, changed and deleted, and not started. */
export type Emulators = { readonly [K in Kind]?: Emulator<K> }
