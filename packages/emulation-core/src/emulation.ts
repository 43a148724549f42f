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
  /** @default the system's clock */
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

/**
 * Puts the services together. Nothing is read or started before the first operation, or `recover()`.
 *
 * @example
 * ```ts
 * import { createEmulation, createPortAllocator } from '@trivium/emulation-core'
 * import {
 *   createLinkRelay,
 *   createPortProbe,
 *   createTcpConsoleListener,
 *   createVirtualPcEmulator,
 * } from '@trivium/embedded-emulators'
 * import { memoryEmulationRepositories, memoryProjectFiles } from '@trivium/memory-repositories/emulation'
 *
 * const ports = createPortAllocator({ isFree: createPortProbe() })
 * const emulation = createEmulation({
 *   repositories: memoryEmulationRepositories(),
 *   emulators: { 'virtual-pc': createVirtualPcEmulator() },
 *   relay: createLinkRelay({ ports }),
 *   ports,
 *   files: memoryProjectFiles(),
 *   consoles: createTcpConsoleListener(),
 * })
 * const project = await emulation.projects.create({})
 * ```
 */
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
