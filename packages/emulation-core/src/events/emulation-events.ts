import type { CaptureLimit, CaptureRecord } from '../captures/capture.ts'
import type { ExitReport } from '../emulators/running-instance.ts'
import type { Connection, Instance } from '../instances/instance.ts'
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
  'instance.started': [Instance]
  'instance.stopped': [Instance, InstanceStop]
  'instance.suspended': [Instance]
  'instance.resumed': [Instance]
  'link.changed': [Instance, LinkChange]
  'capture.started': [Instance, CaptureChange]
  'capture.stopped': [Instance, CaptureChange]
  log: [LogEntry]
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
