import { EventEmitter } from 'eventemitter3'
import { createCaptureFiles } from './captures/capture-files.ts'
import { type Captures, createCaptures } from './captures/captures.ts'
import type { ConsoleHubOptions } from './consoles/console-hub.ts'
import type { ConsoleListener } from './consoles/console-listener.ts'
import { type Consoles, createConsoles } from './consoles/consoles.ts'
import type { Context, EmulationLimits } from './context.ts'
import { createDoubts } from './doubts.ts'
import type { Emulators } from './emulators/emulator.ts'
import type { EmulationEvents } from './events.ts'
import { createHost, type Host, type HostProbes } from './host/host.ts'
import { createCensus } from './instances/census.ts'
import { createInstances, type Instances } from './instances/instances.ts'
import { createLifecycle, type Lifecycle } from './instances/lifecycle.ts'
import { createSlots } from './instances/slots.ts'
import { type Connections, createConnections } from './links/connections.ts'
import type { LinkRelay } from './links/link-relay.ts'
import { createLinks, type Links } from './links/links.ts'
import { createUdpPorts } from './links/udp-ports.ts'
import { createKeyedLocks } from './locks/keyed-locks.ts'
import type { PortAllocator } from './ports/port-allocator.ts'
import type { ProjectFiles } from './projects/project-files.ts'
import { createProjects, type Projects } from './projects/projects.ts'
import { type RecoveryReport, recover } from './recovery.ts'
import type { EmulationRepositories } from './repositories.ts'
import { shutDown } from './shut-down.ts'
import { markStoreFailures } from './store-failure.ts'

export interface EmulationOptions {
  readonly repositories: EmulationRepositories
  /** A kind that is left out can't be started. */
  readonly emulators: Emulators
  readonly relay: LinkRelay
  readonly ports: PortAllocator
  readonly files: ProjectFiles
  /** Opens the console ports. */
  readonly consoles: ConsoleListener
  readonly consoleHub?: ConsoleHubOptions
  /** The server and its clients share a machine: clients may say where a project's directory lies. @default false */
  readonly localMode?: boolean
  /** Answers the creation of a project that is open with that project, instead of refusing it. @default false */
  readonly reopenExistingProjects?: boolean
  readonly limits?: Partial<EmulationLimits>
  /** The machine's network interfaces. @default none are told */
  readonly interfaces?: HostProbes['interfaces']
  /** How busy the machine is. @default 0 % */
  readonly usage?: HostProbes['usage']
  readonly now?: () => Date
  /** @default random UUIDs */
  readonly newId?: () => string
  /** Told of faults that no caller waits for. @default they go to the console */
  readonly onFault?: (error: unknown) => void
}

/** An emulation server without its HTTP interface. */
export interface Emulation {
  readonly projects: Projects
  readonly instances: Instances
  readonly lifecycle: Lifecycle
  readonly connections: Connections
  readonly links: Links
  readonly captures: Captures
  readonly consoles: Consoles
  readonly host: Host
  readonly events: EventEmitter<EmulationEvents>
  /** The directory in which projects are made unless they name a path. */
  readonly location: string
  /** Deals with what the last run left. The first operation does it where the host has not; later calls give the same report. */
  recover(): Promise<RecoveryReport>
  /** Stops every instance and closes what is open. Projects and instances stay stored. */
  close(): Promise<void>
}

export function createEmulation({
  repositories,
  emulators,
  relay,
  ports,
  files,
  consoles,
  consoleHub = {},
  localMode = false,
  reopenExistingProjects = false,
  limits = {},
  interfaces = async () => [],
  usage = async () => ({ cpuPercent: 0, memoryPercent: 0 }),
  now = () => new Date(),
  newId = () => crypto.randomUUID(),
  onFault = (error) => console.error(error),
}: EmulationOptions): Emulation {
  const events = new EventEmitter<EmulationEvents>()
  const bounds: EmulationLimits = {
    projects: 10_000,
    instancesOfAProject: 10_000,
    runningInstances: 2500,
    connectionsOfAnInstance: 1024,
    captureBytes: 2 ** 30,
    udpReservationSeconds: 3600,
    ...limits,
  }
  let recovery: Promise<RecoveryReport> | undefined
  const recovered = () => {
    recovery ??= recover(context).catch((error) => {
      recovery = undefined
      throw error
    })
    return recovery
  }

  const context: Context = {
    repositories: markStoreFailures(repositories),
    emulators,
    relay,
    ports,
    files,
    consoles,
    consoleHub,
    localMode,
    reopenExistingProjects,
    limits: bounds,
    now,
    newId,
    onFault,
    events,
    emit: (name, ...event) => {
      try {
        events.emit(name, ...event)
      } catch (error) {
        onFault(error)
      }
    },
    projectLocks: createKeyedLocks(),
    instanceLocks: createKeyedLocks(),
    live: new Map(),
    running: new Set(),
    slots: createSlots(),
    udpPorts: createUdpPorts({ ports, now, reservationSeconds: bounds.udpReservationSeconds }),
    captureFiles: createCaptureFiles(),
    census: createCensus(),
    doubts: createDoubts(),
    recovered: async () => {
      const report = await recovered()
      await context.doubts.settle()
      return report
    },
  }

  return {
    projects: createProjects(context),
    instances: createInstances(context),
    lifecycle: createLifecycle(context),
    connections: createConnections(context),
    links: createLinks(context),
    captures: createCaptures(context),
    consoles: createConsoles(context),
    host: createHost(context, { interfaces, usage }),
    events,
    location: files.location,
    recover: recovered,
    close: () => shutDown(context),
  }
}
