import type { EventEmitter } from 'eventemitter3'
import { captureArguments } from './captures/capture-arguments.ts'
import { createCaptureFiles } from './captures/capture-files.ts'
import { type Captures, createCaptures } from './captures/captures.ts'
import { checkArguments } from './check-arguments.ts'
import { checkOptions } from './check-options.ts'
import { checkRange, MAX_TIMER_SECONDS } from './check-range.ts'
import { watchClock } from './clock-watch.ts'
import { consoleArguments } from './consoles/console-arguments.ts'
import { type Consoles, createConsoles } from './consoles/consoles.ts'
import type { Context } from './context.ts'
import { createStore } from './create-store.ts'
import { diskImageArguments } from './disk-images/disk-image-arguments.ts'
import { createDiskImages, type DiskImages } from './disk-images/disk-images.ts'
import { drawingArguments } from './drawings/drawing-arguments.ts'
import { createDrawings, type Drawings } from './drawings/drawings.ts'
import { type EmulationOptions, emulationOptionNames } from './emulation-options.ts'
import { createEvents } from './events/create-events.ts'
import type { EmulationEvents } from './events/emulation-events.ts'
import { createFaultReporter } from './fault-reporter.ts'
import { createHost, type Host } from './host/host.ts'
import { hostArguments } from './host/host-arguments.ts'
import { instanceArguments, lifecycleArguments } from './instances/instance-arguments.ts'
import { createInstanceCounts } from './instances/instance-counts.ts'
import { createInstances, type Instances } from './instances/instances.ts'
import { createLifecycle, type Lifecycle } from './instances/lifecycle.ts'
import { createLiveCounts } from './instances/live-counts.ts'
import { createSlots } from './instances/slots.ts'
import { withDefaults } from './instances/with-defaults.ts'
import { createLifetime, endEach } from './lifetime.ts'
import { limitsOf } from './limits-of.ts'
import { type Connections, createConnections } from './links/connections.ts'
import { connectionArguments, linkArguments } from './links/link-arguments.ts'
import { createLinks, type Links } from './links/links.ts'
import { createUdpPorts } from './links/udp-ports.ts'
import { createKeyedLocks } from './locks/keyed-locks.ts'
import { memoryProjectFiles } from './memory/memory-project-files.ts'
import { openTelemetryMetrics } from './metrics/open-telemetry-metrics.ts'
import { recordMetrics } from './metrics/record-metrics.ts'
import { createPendingWrites } from './pending-writes.ts'
import { createLabRuns } from './projects/lab-runs.ts'
import { createLabs } from './projects/labs.ts'
import { projectArguments } from './projects/project-arguments.ts'
import { createProjectStates } from './projects/project-states.ts'
import { createProjects, type Projects } from './projects/projects.ts'
import { type RecoveryReport, recover } from './recovery.ts'
import { shutDown } from './shut-down.ts'
import { createStoreCheck, markStoreFailures } from './store-failure.ts'

/**
 * An emulation server without its HTTP interface. A method that returns a `ResultAsync` resolves to a `Result`, whose
 * error is an `EmulationError` for every expected failure. It rejects with `StoreFailure` where the store fails, with
 * `ServiceClosed` after `close`, and with any other fault.
 *
 * Methods check what they get first. A wrong argument is a fault of the host: the method throws immediately, also one that
 * otherwise returns a promise or a `ResultAsync`. It throws a `TypeError` for a value of another type and a `RangeError`
 * for one out of its bounds, with the name of the field.
 */
export interface Emulation {
  /** Creates, opens, updates, closes and deletes projects. */
  readonly projects: Projects
  /** Creates, reads, updates and removes instances. */
  readonly instances: Instances
  /** Starts and stops instances. */
  readonly lifecycle: Lifecycle
  /** Connects and disconnects NICs. */
  readonly connections: Connections
  /** Lists connections in pairs. */
  readonly links: Links
  /** Creates, reads, updates and deletes the drawings of projects. */
  readonly drawings: Drawings
  /** Captures the frames of NICs. */
  readonly captures: Captures
  /** Opens the consoles of running instances. */
  readonly consoles: Consoles
  /** Uploads, lists, creates and deletes disk images. */
  readonly diskImages: DiskImages
  /** Reads the resources of the server's machine. */
  readonly host: Host
  /**
   * Emits changes after they are stored. The error of a listener goes to `onFault`, and the other listeners are called.
   */
  readonly events: EventEmitter<EmulationEvents>
  /** Passes a fault to the `onFault` of the options, `console.error` by default. Never throws. */
  readonly onFault: (error: unknown, operation?: string) => void
  /** The directory in which projects without a `path` are created. */
  readonly location: string
  /** Whether clients may choose the directories of projects. */
  readonly localMode: boolean
  /**
   * Opens the `database`, and recovers from the last run. The first operation does it where the host has not, and waits
   * for it. Later calls get the same report. A failed start is tried again by the next call.
   *
   * @throws (rejects) `StoreFailure` where the store fails, `ServiceClosed` after `close`
   */
  start(): Promise<RecoveryReport>
  /**
   * Stops every instance and closes everything that is open. Projects and instances stay stored. Later calls get the
   * same promise, which never rejects: faults go to `onFault`. Stop the transports first: `start` rejects afterwards,
   * and later operations may fail.
   */
  close(): Promise<void>
  /** Whether `close` was called, also while it still runs. Every request is a 503 afterwards. */
  readonly isClosed: boolean
}

/**
 * Creates an emulation server. Nothing is read or started before the first operation or `start()`.
 *
 * @throws RangeError where a limit is out of its range
 * @throws TypeError for an option that does not exist, and where both `repositories` and `database` are given
 *
 * @example
 * ```ts
 * import { createEmulation } from '@trivium/emulation-core'
 * import { embeddedLab } from '@trivium/embedded-emulators'
 *
 * const emulation = createEmulation(embeddedLab())
 * const project = await emulation.projects.create({})
 * ```
 */
export function createEmulation(options: EmulationOptions): Emulation {
  checkOptions('createEmulation', options, emulationOptionNames)
  const {
    emulators,
    relay,
    ports,
    files = memoryProjectFiles(),
    diskImages,
    consoles,
    captureFilters,
    consoleHub = {},
    localMode = false,
    reopenExistingProjects = false,
    limits = {},
    interfaces = async () => [],
    usage = async () => ({ cpuPercent: 0, memoryPercent: 0 }),
    metrics,
    now = () => new Date(),
    newId = () => crypto.randomUUID(),
    onFault: hostOnFault,
  } = options
  const store = createStore(options)
  const onFault = createFaultReporter(hostOnFault)
  const { events, emit } = createEvents(onFault)
  const bounds = limitsOf(limits)
  checkRange({ ...consoleHub }, 0, Number.MAX_SAFE_INTEGER)
  checkRange({ patienceMs: consoleHub.patienceMs ?? 0 }, 0, MAX_TIMER_SECONDS * 1000)
  const closing = new AbortController()
  const checkStore = createStoreCheck(store.repositories)
  const lifetime = createLifetime({
    name: 'emulation',
    start: async () => {
      await store.open()
      await checkStore()
      const report = await recover(context)
      return { ...report, problems: [...report.problems, ...(await labs.begin())] }
    },
    close: () => {
      closing.abort()
      return endEach(onFault, () => shutDown(context), store.close)
    },
    onFault,
  })

  const context: Context = {
    repositories: withDefaults(markStoreFailures(store.repositories)),
    emulators,
    relay,
    ports,
    files,
    diskImages,
    consoles,
    captureFilters,
    consoleHub,
    localMode,
    reopenExistingProjects,
    limits: bounds,
    now,
    clock: watchClock(now),
    newId,
    onFault,
    events,
    emit,
    projectLocks: createKeyedLocks(),
    instanceLocks: createKeyedLocks(),
    closing: closing.signal,
    live: new Map(),
    liveCounts: createLiveCounts(emit),
    running: new Set(),
    slots: createSlots(),
    udpPorts: createUdpPorts({ ports, now, reservationSeconds: bounds.udpReservationSeconds }),
    captureFiles: createCaptureFiles({
      projectBytes: bounds.projectCaptureBytes,
      onCounted: (counts) => emit('captures.counted', counts),
    }),
    instanceCounts: createInstanceCounts(),
    projectStates: createProjectStates(),
    labRuns: createLabRuns(),
    reopened: new Set(),
    pendingWrites: createPendingWrites(),
    recovered: async () => {
      const report = await lifetime.start()
      await context.pendingWrites.settle()
      return report
    },
  }

  const lifecycle = createLifecycle(context)
  const labs = createLabs(context, lifecycle)

  for (const recorder of [openTelemetryMetrics(), metrics]) if (recorder) recordMetrics(events, recorder, onFault)

  return {
    projects: checkArguments(createProjects(context, labs), projectArguments),
    instances: checkArguments(createInstances(context), instanceArguments),
    lifecycle: checkArguments(lifecycle, lifecycleArguments),
    connections: checkArguments(createConnections(context), connectionArguments),
    links: checkArguments(createLinks(context), linkArguments),
    drawings: checkArguments(createDrawings(context), drawingArguments),
    captures: checkArguments(createCaptures(context), captureArguments),
    consoles: checkArguments(createConsoles(context), consoleArguments),
    diskImages: checkArguments(createDiskImages(context), diskImageArguments),
    host: checkArguments(createHost(context, { interfaces, usage }), hostArguments),
    events,
    onFault,
    location: files.location,
    localMode,
    start: lifetime.start,
    close: lifetime.close,
    get isClosed() {
      return lifetime.isClosed
    },
  }
}
