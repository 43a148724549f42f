import type { Tagged } from 'type-fest'
import type { CaptureRecord } from '../captures/capture.ts'
import type { Kind, SettingsOf } from '../kinds/kind.ts'
import type { Impairments } from '../links/impairments.ts'
import type { NicAddress } from '../links/nic-address.ts'
import type { Nio } from '../links/nio.ts'
import type { ProjectId } from '../projects/project.ts'

/** A UUID, compared as it was written; unique among all kinds and projects. */
export type InstanceId = Tagged<string, 'InstanceId'>

/** An instance as it is kept: what it is, how it is cabled, and which processes it left running. Plain JSON but for dates. */
export interface InstanceRecord<K extends Kind = Kind> {
  readonly id: InstanceId
  readonly projectId: ProjectId
  readonly kind: K
  readonly name: string
  readonly settings: SettingsOf<K>
  /**
   * A small number of its own among its kind, where the kind has one: lowest free in the project for virtual PCs
   * (from 0; their MAC address), lowest free of 1 to 511 on the server for routers (their application id).
   */
  readonly slot?: number
  /** One entry a connected NIC, in the order in which they were connected. */
  readonly connections: readonly Connection[]
  /** Processes that run for it; empty while it is stopped. Whatever is here at a start of the server was left by a crash. */
  readonly processes: readonly ProcessRecord[]
  readonly createdAt: Date
  /** Grows by one with every stored change, from 0. */
  readonly revision: number
}

/** One cabled NIC: what it is cabled to, how well, and what records it. */
export interface Connection extends NicAddress {
  readonly nio: Nio
  readonly impairments: Impairments
  /** Whether the cable carries frames. */
  readonly linkUp: boolean
  readonly capture?: CaptureRecord
}

/** Enough to find a process again, and to know that its id has not become another's. */
export interface ProcessRecord {
  readonly pid: number
  /** When it began, in whatever unit the operating system gives. */
  readonly startedAt: string
  readonly program: string
}

/** What an instance does now. It is not stored: after a crash all are stopped. */
export type InstanceState = 'stopped' | 'started' | 'suspended'

/** An instance as clients see it. */
export interface Instance<K extends Kind = Kind> extends InstanceRecord<K> {
  readonly state: InstanceState
  /** The name of its startup script or initial configuration, once there is one. */
  readonly textFile: string | null
  /** The file's content, for the kinds that show it. */
  readonly text: string | null
}

/** Names one instance; all three must fit. */
export interface InstanceReference<K extends Kind = Kind> {
  readonly projectId: ProjectId
  readonly kind: K
  readonly id: InstanceId
}

/** A key that is equal for equal references. */
export const referenceKey = ({ projectId, kind, id }: InstanceReference): string => `${projectId}/${kind}/${id}`
