import type { Tagged } from 'type-fest'
import type { CaptureRecord } from '../captures/capture.ts'
import type { Kind, SettingsOf } from '../kinds/kind.ts'
import type { Impairments } from '../links/impairments.ts'
import type { NicAddress } from '../links/nic-address.ts'
import type { Nio } from '../links/nio.ts'
import type { ProjectId } from '../projects/project.ts'
import type { Arrangement } from './arrangement.ts'

/** A UUID, compared with case. Unique among all kinds and projects. */
export type InstanceId = Tagged<string, 'InstanceId'>

/** An instance as it is stored: its settings, connections and processes. Plain JSON except for its times. */
export interface InstanceRecord<K extends Kind = Kind> {
  readonly id: InstanceId
  readonly projectId: ProjectId
  readonly kind: K
  readonly name: string
  readonly settings: SettingsOf<K>
  /**
   * A number that is unique among instances of the kind. For virtual PCs the lowest free number of the project, from 0
   * (part of their MAC address); for routers the lowest free number of the server, 1 to 511 (their application id).
   * Absent for other kinds.
   */
  readonly slot?: number
  /** One entry for each connected NIC, in the order in which they were connected. */
  readonly connections: readonly Connection[]
  /** Processes that run for it; empty while it is stopped. An entry at a start of the server was left by a crash. */
  readonly processes: readonly ProcessRecord[]
  /** Absent for one that was never placed. */
  readonly arrangement?: Arrangement
  readonly createdAt: Date
  /** When its name, settings, connections or arrangement were last changed. @default `createdAt` */
  readonly changedAt?: Date
  /** Increases by one with every stored change, from 0. */
  readonly revision: number
}

/** The connection of one NIC: its NIO, impairments, link state and capture. */
export interface Connection extends NicAddress {
  readonly nio: Nio
  readonly impairments: Impairments
  /** Whether the connection carries frames. */
  readonly linkUp: boolean
  /** Absent while the NIC is not captured. */
  readonly capture?: CaptureRecord
}

/** Identifies a process, also after its id was used again by another process. */
export interface ProcessRecord {
  /** The id of the process on the server's machine. */
  readonly pid: number
  /**
   * Identifies its start, in the emulator's own format: with `pid` it is unique on the machine, also across its
   * restarts. Empty where it is unknown.
   */
  readonly startedAt: string
  /** Its program, for logs. It does not identify the process. */
  readonly program: string
}

/** The state of an instance. It is not stored: after a crash all instances are stopped. */
export type InstanceState = 'stopped' | 'started' | 'suspended'

/** An instance of any kind with its state, without its text, which can have 1 MiB. */
export interface LabNode extends InstanceRecord {
  readonly state: InstanceState
}

/** An instance with its state and text file. */
export interface Instance<K extends Kind = Kind> extends InstanceRecord<K> {
  readonly state: InstanceState
  /** The file name of its startup script or initial configuration; `null` without one. */
  readonly textFile: string | null
  /** The content of that file, for kinds that show it; otherwise `null`. */
  readonly text: string | null
}

/** Identifies one instance. All three parts must match. */
export interface InstanceReference<K extends Kind = Kind> {
  readonly projectId: ProjectId
  readonly kind: K
  readonly id: InstanceId
}

/** Returns a key that is equal for equal references. */
export const referenceKey = ({ projectId, kind, id }: InstanceReference): string => `${projectId}/${kind}/${id}`
