import type { CaptureFilters } from './captures/capture-filter.ts'
import type { OptionNames } from './check-options.ts'
import type { ConsoleHubOptions } from './consoles/console-hub.ts'
import type { ConsoleListener } from './consoles/console-listener.ts'
import type { EmulationLimits } from './context.ts'
import type { StoreOptions } from './create-store.ts'
import type { DiskImageStore } from './disk-images/disk-image-store.ts'
import type { Emulators } from './emulators/emulator.ts'
import type { HostProbes } from './host/host.ts'
import type { LinkRelay } from './links/link-relay.ts'
import type { MetricsRecorder } from './metrics/metrics-recorder.ts'
import type { PortAllocator } from './ports/port-allocator.ts'
import type { ProjectFiles } from './projects/project-files.ts'

/** Options of an emulation server. Without a store, projects, instances and drawings are in the memory of this process. */
export interface EmulationOptions extends StoreOptions {
  /** The emulator of each kind. Instances of a kind without one cannot be started. */
  readonly emulators: Emulators
  /** Carries the frames of every NIC. */
  readonly relay: LinkRelay
  /** Allocates console and UDP ports. */
  readonly ports: PortAllocator
  /** The directories of projects. @default the memory of this process, where no emulator of other programs finds them */
  readonly files?: ProjectFiles
  /** Keeps the disk images that clients upload and create. @default none: clients can neither upload nor list them */
  readonly diskImages?: DiskImageStore
  /** Opens the console ports. */
  readonly consoles: ConsoleListener
  /** Compiles filters of captures. @default filters are refused */
  readonly captureFilters?: CaptureFilters
  /** Limits of consoles and their viewers. */
  readonly consoleHub?: ConsoleHubOptions
  /**
   * Whether the server and its clients share a machine, so that clients may choose project directories. Otherwise a
   * `path` fails with `project-location-fixed`.
   *
   * @default false
   */
  readonly localMode?: boolean
  /**
   * Whether creating a project that is open returns that project instead of an error. Then connecting a switch port that
   * is connected replaces its NIO, as clients that open a project again connect all of its links again.
   *
   * @default false
   */
  readonly reopenExistingProjects?: boolean
  /** Limits that differ from the defaults. A value out of its range is a `RangeError`. */
  readonly limits?: Partial<EmulationLimits>
  /** Lists the machine's network interfaces, for clients that set up a NIO. @default an empty list */
  readonly interfaces?: HostProbes['interfaces']
  /** Measures the CPU and memory usage of the machine, for the pings of notification streams. @default 0 % */
  readonly usage?: HostProbes['usage']
  /** Records the metrics in addition to OpenTelemetry. @default none */
  readonly metrics?: MetricsRecorder
  /**
   * Returns the current time, for dates of records, reservations of ports, tickets and the retention of captures.
   *
   * @default the system's clock
   */
  readonly now?: () => Date
  /** Returns a UUID for each new project, instance and drawing without an id. @default random UUIDs */
  readonly newId?: () => string
  /**
   * Receives every fault that no caller gets: of background work, of listeners that throw, and of requests to routes
   * without an `onFault` of their own, with the id of the operation.
   *
   * @default console.error: of equal faults of an operation one in 10 seconds, with the number of those left out
   */
  readonly onFault?: (error: unknown, operation?: string) => void
}

/** The names of the options, for hosts in plain JavaScript. */
export const emulationOptionNames: OptionNames<EmulationOptions> = {
  repositories: true,
  database: true,
  emulators: true,
  relay: true,
  ports: true,
  files: true,
  diskImages: true,
  consoles: true,
  captureFilters: true,
  consoleHub: true,
  localMode: true,
  reopenExistingProjects: true,
  limits: true,
  interfaces: true,
  usage: true,
  metrics: true,
  now: true,
  newId: true,
  onFault: true,
}
