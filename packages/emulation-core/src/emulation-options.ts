import type { ConsoleHubOptions } from './consoles/console-hub.ts'
import type { ConsoleListener } from './consoles/console-listener.ts'
import type { EmulationLimits } from './context.ts'
import type { EmulationRepositories } from './emulation-repositories.ts'
import type { Emulators } from './emulators/emulator.ts'
import type { HostProbes } from './host/host.ts'
import type { LinkRelay } from './links/link-relay.ts'
import type { MetricsRecorder } from './metrics/metrics-recorder.ts'
import type { PortAllocator } from './ports/port-allocator.ts'
import type { ProjectFiles } from './projects/project-files.ts'

/** What a host puts together. The parts of a Node host are in `@trivium/embedded-emulators`. */
export interface EmulationOptions {
  readonly repositories: EmulationRepositories
  /** A kind that is left out can't be started. */
  readonly emulators: Emulators
  /** Carries the frames of every NIC. */
  readonly relay: LinkRelay
  /** Gives out console and UDP ports. */
  readonly ports: PortAllocator
  /** The directories of projects. */
  readonly files: ProjectFiles
  /** Opens the console ports. */
  readonly consoles: ConsoleListener
  /** How consoles serve their viewers. */
  readonly consoleHub?: ConsoleHubOptions
  /** The server and its clients share a machine: clients may say where a project's directory lies. @default false */
  readonly localMode?: boolean
  /** Answers the creation of a project that is open with that project, instead of refusing it. @default false */
  readonly reopenExistingProjects?: boolean
  /** Bounds that differ from the defaults. */
  readonly limits?: Partial<EmulationLimits>
  /** The machine's network interfaces. @default none are told */
  readonly interfaces?: HostProbes['interfaces']
  /** How busy the machine is. @default 0 % */
  readonly usage?: HostProbes['usage']
  /** Measures besides OpenTelemetry. */
  readonly metrics?: MetricsRecorder
  /** @default the system's clock */
  readonly now?: () => Date
  /** @default random UUIDs */
  readonly newId?: () => string
  /** Gets every fault that no caller hears of: of background work, and of listeners that throw. @default console.error */
  readonly onFault?: (error: unknown) => void
}
