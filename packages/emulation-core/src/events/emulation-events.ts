import type { CaptureLimit, CaptureRecord } from '../captures/capture.ts'
import type { CaptureCounts } from '../captures/capture-files.ts'
import type { Drawing } from '../drawings/drawing.ts'
import type { ExitReport } from '../emulators/running-instance.ts'
import type { Connection, Instance, LabNode } from '../instances/instance.ts'
import type { Kind } from '../kinds/kind.ts'
import type { NicAddress } from '../links/nic-address.ts'
import type { Project, ProjectId } from '../projects/project.ts'

/** The events of an emulation, with their arguments. Those of a change are emitted after it was stored. */
export interface EmulationEvents {
  'project.created': [Project]
  'project.updated': [Project]
  /** The files of removed instances were deleted. */
  'project.committed': [Project]
  /** A closed project was opened. */
  'project.opened': [Project]
  /** The project was closed. Its instances have stopped; those of a temporary one were removed without further events. */
  'project.closed': [Project]
  /** The project was closed and its directory deleted. */
  'project.deleted': [Project]
  'instance.created': [Instance]
  'instance.updated': [Instance]
  'instance.deleted': [Instance]
  /** An instance was placed elsewhere on the scene, or its place in the start of the lab has changed. */
  'instance.arranged': [LabNode]
  /** Not emitted for a switch that starts at its creation or with the server. */
  'instance.started': [Instance, InstanceStart]
  /** Also after an exit without a request. */
  'instance.stopped': [Instance, InstanceStop]
  'instance.suspended': [Instance]
  /** Also after a reload of a suspended instance. */
  'instance.resumed': [Instance]
  /** The emulator has written that many bytes to the instance's log. */
  'instance.logged': [EventPlace, bytes: number]
  /** The number of instances of the kind that run or are suspended, after it has changed. */
  'instances.counted': [kind: Kind, running: number]
  /** A NIC was connected or disconnected, or its impairments or link state have changed. */
  'link.changed': [Instance, LinkChange]
  'drawing.created': [Drawing]
  'drawing.updated': [Drawing]
  /** Not emitted where its project is closed or deleted. */
  'drawing.deleted': [Drawing]
  'capture.started': [Instance, CaptureChange]
  /** Also where a limit has ended the capture. */
  'capture.stopped': [Instance, CaptureChange]
  /** The number and size of captures, when one starts or stops and after each 64 KiB. */
  'captures.counted': [CaptureCounts]
  /** A connection was made to a TCP port of the instance. It is not yet known whether a web page made it. */
  'console.opened': [EventPlace, port: 'console' | 'monitor', remoteAddress: string | undefined]
  /** A connection to a TCP port of the instance was closed because a web page made it. */
  'console.refused': [EventPlace, port: 'console' | 'monitor']
  /** A disk image was completed, created, resized or deleted. Parts of uploads are not reported. */
  'disk-image.changed': [name: string, change: 'uploaded' | 'created' | 'resized' | 'deleted']
  /** Files whose retention had expired were deleted. */
  'retention.removed': [kind: 'captures' | 'uploads', count: number]
  /** Something for the users of a project has happened, such as an instance that has ended by itself. */
  log: [LogEntry]
}

/** The instance of an event. */
export type EventPlace = Pick<Instance, 'id' | 'projectId' | 'kind'>

/** How an instance was started. */
export interface InstanceStart {
  /** The accelerator that the emulator has chosen, as in `RunningInstance`. */
  readonly accelerator?: string
}

/** How an instance has ended. */
export interface InstanceStop {
  /** Whether it ended without a request to stop it. */
  readonly unexpected: boolean
  readonly exit: ExitReport
}

/** The NIC of a change, and its connection afterwards. */
export interface LinkChange {
  readonly nic: NicAddress
  /** Absent after a disconnect. */
  readonly connection?: Connection
}

/** A capture that has started or stopped, with its NIC. */
export interface CaptureChange {
  readonly nic: NicAddress
  readonly capture: CaptureRecord
  /** Present where a limit has ended the capture. */
  readonly limit?: CaptureLimit
}

/** A log line for the clients of one project. */
export interface LogEntry {
  readonly projectId: ProjectId
  readonly level: 'error' | 'warning' | 'info'
  /** English text. It can have several lines, such as the end of an emulator's log. */
  readonly message: string
}
