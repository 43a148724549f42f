import type { CaptureLimit, CaptureRecord } from '../captures/capture.ts'
import type { CaptureCounts } from '../captures/capture-files.ts'
import type { ExitReport } from '../emulators/running-instance.ts'
import type { Connection, Instance } from '../instances/instance.ts'
import type { Kind } from '../kinds/kind.ts'
import type { NicAddress } from '../links/nic-address.ts'
import type { Project, ProjectId } from '../projects/project.ts'

/** What happened, told after it was stored. */
export interface EmulationEvents {
  'project.created': [Project]
  'project.updated': [Project]
  'project.committed': [Project]
  'project.closed': [Project]
  'project.deleted': [Project]
  'instance.created': [Instance]
  'instance.updated': [Instance]
  'instance.deleted': [Instance]
  'instance.started': [Instance, InstanceStart]
  'instance.stopped': [Instance, InstanceStop]
  'instance.suspended': [Instance]
  'instance.resumed': [Instance]
  /** Its emulator has written that many bytes to its log. */
  'instance.logged': [EventPlace, bytes: number]
  /** How many of the kind run or are suspended, after that has changed. */
  'instances.counted': [kind: Kind, running: number]
  'link.changed': [Instance, LinkChange]
  'capture.started': [Instance, CaptureChange]
  'capture.stopped': [Instance, CaptureChange]
  /** What is captured, after it has changed: bytes are reported after each 64 KiB, and when a capture starts or stops. */
  'captures.counted': [CaptureCounts]
  /** A connection was made to a TCP port of the instance, before it is known whether a web page made it. */
  'console.opened': [EventPlace, port: 'console' | 'monitor', remoteAddress: string | undefined]
  /** A web page spoke on a TCP port of the instance, and the connection was closed. */
  'console.refused': [EventPlace, port: 'console' | 'monitor']
  /** What was older than it is kept for was removed. */
  'retention.removed': [kind: 'captures', count: number]
  log: [LogEntry]
}

/** The instance that something happened to. */
export type EventPlace = Pick<Instance, 'id' | 'projectId' | 'kind'>

export interface InstanceStart {
  /** What carries out its instructions, as in `RunningInstance`. */
  readonly accelerator?: string
}

export interface InstanceStop {
  /** Whether it ended without being told to. */
  readonly unexpected: boolean
  readonly exit: ExitReport
}

export interface LinkChange {
  readonly nic: NicAddress
  /** Absent once it is disconnected. */
  readonly connection?: Connection
}

export interface CaptureChange {
  readonly nic: NicAddress
  readonly capture: CaptureRecord
  /** Present where the capture has stopped because it reached a limit. */
  readonly limit?: CaptureLimit
}

/** A line for the people of one project, in words that clients may see. */
export interface LogEntry {
  readonly projectId: ProjectId
  readonly level: 'error' | 'warning' | 'info'
  readonly message: string
}
