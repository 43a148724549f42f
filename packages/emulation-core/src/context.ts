import type { EventEmitter } from 'eventemitter3'
import type { CaptureFiles } from './captures/capture-files.ts'
import type { ClockKnowledge } from './clock-watch.ts'
import type { ConsoleHubOptions } from './consoles/console-hub.ts'
import type { ConsoleListener } from './consoles/console-listener.ts'
import type { Doubts } from './doubts.ts'
import type { EmulationRepositories } from './emulation-repositories.ts'
import type { Emulators } from './emulators/emulator.ts'
import type { Emit } from './events/create-events.ts'
import type { EmulationEvents } from './events/emulation-events.ts'
import type { Census } from './instances/census.ts'
import type { InstanceId } from './instances/instance.ts'
import type { LiveCounts } from './instances/live-counts.ts'
import type { LiveInstance } from './instances/live-instance.ts'
import type { Slots } from './instances/slots.ts'
import type { LinkRelay } from './links/link-relay.ts'
import type { UdpPorts } from './links/udp-ports.ts'
import type { KeyedLocks } from './locks/keyed-locks.ts'
import type { PortAllocator } from './ports/port-allocator.ts'
import type { ProjectFiles } from './projects/project-files.ts'

/** What the services of one server share. */
export interface Context {
  readonly repositories: EmulationRepositories
  readonly emulators: Emulators
  readonly relay: LinkRelay
  readonly ports: PortAllocator
  readonly files: ProjectFiles
  readonly consoles: ConsoleListener
  readonly consoleHub: ConsoleHubOptions
  readonly localMode: boolean
  readonly reopenExistingProjects: boolean
  readonly limits: EmulationLimits
  readonly now: () => Date
  /** Looks at the clock of `now`. */
  readonly clock: () => ClockKnowledge
  readonly newId: () => string

  readonly events: EventEmitter<EmulationEvents>
  /** Tells the listeners; one that throws stops nothing. */
  readonly emit: Emit
  /** Told of faults that no caller waits for. */
  readonly onFault: (error: unknown) => void
  /** By id. What concerns an instance holds its project shared, then the instance exclusively: never the other way. */
  readonly projectLocks: KeyedLocks
  readonly instanceLocks: KeyedLocks<InstanceId>
  /** Aborts when the emulation closes: nothing starts from then on. */
  readonly closing: AbortSignal
  readonly live: Map<InstanceId, LiveInstance>
  readonly liveCounts: LiveCounts
  /** What starts or runs, without what is always on. */
  readonly running: Set<InstanceId>
  readonly slots: Slots
  readonly udpPorts: UdpPorts
  readonly captureFiles: CaptureFiles
  readonly census: Census
  readonly doubts: Doubts
  /** Resolves when what the last run left behind is dealt with, which runs once, and no write is in doubt. */
  readonly recovered: () => Promise<unknown>
}

/** Bounds on what clients can make. An operation beyond one is a `limit-reached` error. Counts are at least 0. */
export interface EmulationLimits {
  /** The most open projects. @default 10,000 */
  readonly projects: number
  /** The most instances of one project. @default 10,000 */
  readonly instancesOfAProject: number
  /** Of all projects together, without switches, which always run. @default 2,500 */
  readonly runningInstances: number
  /** The most cables of one instance. @default 1,024 */
  readonly connectionsOfAnInstance: number
  /** A capture ends by itself when its file is that large; at least 1. @default 1 GiB */
  readonly captureBytes: number
  /**
   * What all capture files of a project have together, those of earlier captures included: captures end by themselves
   * before there is more; at least 1. @default 4 GiB
   */
  readonly projectCaptureBytes: number
  /**
   * How long a capture file is kept after its last byte, from 1 to 1,000,000. It is deleted when captures of its project
   * are listed or started; where it became too old before the server started, only once the clock has run evenly for 24
   * hours. @default 30
   */
  readonly captureDays: number
  /** How long a UDP port that was given out waits for its NIC, from 1 to 1,000,000,000. @default 3,600 */
  readonly udpReservationSeconds: number
}
