import type { EventEmitter } from 'eventemitter3'
import type { CaptureFiles } from './captures/capture-files.ts'
import type { CaptureFilters } from './captures/capture-filter.ts'
import type { ClockTrust } from './clock-watch.ts'
import type { ConsoleHubOptions } from './consoles/console-hub.ts'
import type { ConsoleListener } from './consoles/console-listener.ts'
import type { DiskImageStore } from './disk-images/disk-image-store.ts'
import type { EmulationRepositories } from './emulation-repositories.ts'
import type { Emulators } from './emulators/emulator.ts'
import type { Emit } from './events/create-events.ts'
import type { EmulationEvents } from './events/emulation-events.ts'
import type { InstanceId } from './instances/instance.ts'
import type { InstanceCounts } from './instances/instance-counts.ts'
import type { LiveCounts } from './instances/live-counts.ts'
import type { LiveInstance } from './instances/live-instance.ts'
import type { Slots } from './instances/slots.ts'
import type { LinkRelay } from './links/link-relay.ts'
import type { UdpPorts } from './links/udp-ports.ts'
import type { KeyedLocks } from './locks/keyed-locks.ts'
import type { PendingWrites } from './pending-writes.ts'
import type { PortAllocator } from './ports/port-allocator.ts'
import type { LabRuns } from './projects/lab-runs.ts'
import type { ProjectFiles } from './projects/project-files.ts'
import type { ProjectStates } from './projects/project-states.ts'

/** Objects and options that the services of one server share. */
export interface Context {
  readonly repositories: EmulationRepositories
  readonly emulators: Emulators
  readonly relay: LinkRelay
  readonly ports: PortAllocator
  readonly files: ProjectFiles
  readonly diskImages: DiskImageStore | undefined
  readonly consoles: ConsoleListener
  readonly captureFilters: CaptureFilters | undefined
  readonly consoleHub: ConsoleHubOptions
  readonly localMode: boolean
  readonly reopenExistingProjects: boolean
  readonly limits: EmulationLimits
  readonly now: () => Date
  /** Checks the clock of `now`. */
  readonly clock: () => ClockTrust
  readonly newId: () => string

  readonly events: EventEmitter<EmulationEvents>
  /** Notifies the listeners. Errors that they throw go to `onFault`. */
  readonly emit: Emit
  /** Receives faults that no caller waits for. */
  readonly onFault: (error: unknown) => void
  /** By id. An operation on an instance first takes its project's lock as shared, then the instance's as exclusive. */
  readonly projectLocks: KeyedLocks
  readonly instanceLocks: KeyedLocks<InstanceId>
  /** Aborts when the emulation closes. No instance starts afterwards. */
  readonly closing: AbortSignal
  readonly live: Map<InstanceId, LiveInstance>
  readonly liveCounts: LiveCounts
  /** Instances that start or run, without those of kinds that are always on. */
  readonly running: Set<InstanceId>
  readonly slots: Slots
  readonly udpPorts: UdpPorts
  readonly captureFiles: CaptureFiles
  readonly instanceCounts: InstanceCounts
  readonly projectStates: ProjectStates
  readonly labRuns: LabRuns
  /** Connected NICs of projects that were opened again, by `nicKey`, until each is connected by a client. */
  readonly reopened: Set<string>
  readonly pendingWrites: PendingWrites
  /** Resolves when the recovery from the last run is done, which runs once, and every pending write is resolved. */
  readonly recovered: () => Promise<unknown>
}

/** Limits on what clients can create. An operation beyond a limit fails with `limit-reached`. Counts are at least 0. */
export interface EmulationLimits {
  /** The most projects, closed ones included. @default 10,000 */
  readonly projects: number
  /** The most instances of one project. @default 10,000 */
  readonly instancesOfAProject: number
  /** The most running instances of all projects, without switches, which always run. @default 2,500 */
  readonly runningInstances: number
  /** The most connections of one instance. @default 1,024 */
  readonly connectionsOfAnInstance: number
  /** The most drawings of one project. @default 1,000 */
  readonly drawingsOfAProject: number
  /** The largest total length of the SVG of a project's drawings, in UTF-16 code units, at least 1. @default 8,388,608 */
  readonly drawingCharactersOfAProject: number
  /** The most commands that run on consoles at the same time. @default 100 */
  readonly consoleCommands: number
  /** The largest size of a capture file, at least 1. The capture ends there. @default 1 GiB */
  readonly captureBytes: number
  /** The most capture files of one project. @default 1,000 */
  readonly captureFilesOfAProject: number
  /**
   * The largest total size of a project's capture files, those of earlier captures included, at least 1. Running
   * captures end there. @default 4 GiB
   */
  readonly projectCaptureBytes: number
  /**
   * How long a capture file is kept after its last write, from 1 to 1,000,000. It is deleted when captures of its
   * project are listed or started, or at a start of the server. A file that expired before the server started is only
   * deleted once the clock has run evenly for 24 hours. @default 30
   */
  readonly captureDays: number
  /** The most disk images, unfinished uploads included. @default 1,000 */
  readonly diskImages: number
  /** The largest size of a disk image's file, at least 1. @default 32 GiB */
  readonly diskImageBytes: number
  /** The largest total size of disk images, unfinished uploads included, at least 1. @default 256 GiB */
  readonly diskImagesBytes: number
  /** The largest size of the disk in an image, as a machine sees it, at least 1. @default 1 TiB */
  readonly diskImageVirtualBytes: number
  /** The most parts of disk images that are uploaded at the same time. @default 4 */
  readonly diskImageUploads: number
  /**
   * How long an unfinished upload is kept after its last byte, from 1 to 1,000,000. It is deleted when images are listed
   * or uploaded, or at a start of the server. @default 24
   */
  readonly diskImageUploadHours: number
  /** How long a UDP port stays reserved for a NIC, from 1 to 1,000,000,000. @default 3,600 */
  readonly udpReservationSeconds: number
}
