import type { InstanceId, InstanceRecord, ProcessRecord } from '../instances/instance.ts'
import type { Kind, SettingsOf } from '../kinds/kind.ts'
import type { ProjectId } from '../projects/project.ts'
import type { RunningInstance } from './running-instance.ts'
import type { Wiring } from './wiring.ts'

/**
 * Runs instances of one kind. The caller serialises the calls for one instance. Calls for different instances can be
 * concurrent. Every method may reject with a `Refusal`, whose message the client gets.
 */
export interface Emulator<K extends Kind = Kind> {
  readonly kind: K
  /**
   * Checks the programs, images and options of a request against the host's allow-list, at create and at update. The
   * program need not be installed. Changes nothing.
   *
   * @returns the settings to store, with absolute paths
   */
  check?(settings: SettingsOf<K>): Promise<SettingsOf<K>>
  /**
   * Resolves when the instance runs and its console answers. Rejects where its process exits immediately, with an
   * excerpt of its log; no process is left running. Calls `recorded` before it resolves, as soon as a process exists.
   */
  start(instance: EmulatedInstance<K>, wiring: Wiring, options: StartOptions): Promise<RunningInstance<K>>
  /**
   * Removes what starts have created outside the instance's directory. Called before the files of a stopped instance
   * are permanently deleted.
   */
  remove?(instance: { readonly id: InstanceId; readonly directory: string }): Promise<void>
  /**
   * Ends processes that a crash of the server left: the recorded ones where they are still the same, and others that
   * this emulator can recognise as processes of those instances. Processes that have already exited are ignored.
   */
  endOrphans?(orphans: readonly OrphanedInstance[]): Promise<void>
  /** Lists the installed programs that the host allows, for kinds that run a program of the client's choice. */
  programs?(): Promise<readonly EmulatorProgram[]>
  /** Lists the names of VMs that a client may wrap, for kinds that wrap existing VMs. */
  machineNames?(): Promise<readonly string[]>
  /** Finds out by a test what the host's hardware supports. */
  capabilities?(): Promise<EmulatorCapabilities>
  /** Closes everything that the emulator keeps open. Called after all instances have stopped. */
  close?(): Promise<void>
}

/** The instance that an emulator starts. */
export interface EmulatedInstance<K extends Kind = Kind>
  extends Pick<InstanceRecord<K>, 'id' | 'projectId' | 'kind' | 'name' | 'settings' | 'slot'> {
  /**
   * An absolute path. The directory exists, belongs to this instance alone and has its startup script or configuration.
   */
  readonly directory: string
}

/** The texts of one instance. Both methods reject with a `Refusal` for a name that is not a plain file name. */
export interface InstanceFiles {
  /** Returns `undefined` where the file is absent. */
  read(name: string): Promise<string | undefined>
  /** Replaces the file in one atomic step. */
  write(name: string, content: string): Promise<void>
}

/** Callbacks of a start. */
export interface StartOptions {
  /** Stores the instance's processes, so that they can be found after a crash. Resolves when they are stored. */
  readonly recorded: (processes: readonly ProcessRecord[]) => Promise<void>
  /** The texts of the instance, which need not be on a disk. @default files in its `directory` */
  readonly files?: InstanceFiles
  /** Reports bytes that were written to a log in the instance's directory. */
  readonly logged?: (bytes: number) => void
  /** Reports a connection to a monitor, with the address of the client. */
  readonly monitorOpened?: (remoteAddress: string | undefined) => void
  /** Reports a connection to a monitor that was closed because a web page made it. */
  readonly monitorRefused?: () => void
}

/** An instance that no server holds at a start, and of which a crash may have left processes. */
export interface OrphanedInstance {
  readonly id: InstanceId
  readonly projectId: ProjectId
  /** An absolute path. The directory might not exist. */
  readonly directory: string
  /** Empty where no process was recorded before the crash. */
  readonly processes: readonly ProcessRecord[]
}

/** A program that instances may name. */
export interface EmulatorProgram {
  /** An absolute path. */
  readonly path: string
  /** The version that the program prints. */
  readonly version: string
}

/** Hardware features that the emulator can use on this machine. */
export interface EmulatorCapabilities {
  /** Architectures for which hardware acceleration works, named as in QEMU's programs: `x86_64`, `i386`. */
  readonly acceleratedArchitectures: readonly string[]
}

/**
 * The emulator of each kind. Instances of a kind without one can be created, read, updated and deleted, but not
 * started.
 */
export type Emulators = { readonly [K in Kind]?: Emulator<K> }
