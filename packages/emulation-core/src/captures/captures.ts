import { err, ok, type Result, ResultAsync } from 'neverthrow'
import { attempt } from '../attempt.ts'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import { findInstance, withInstance } from '../instances/find-instance.ts'
import type { Connection, InstanceRecord, InstanceReference } from '../instances/instance.ts'
import { presentInstance } from '../instances/present-instance.ts'
import { storeInstance } from '../instances/store-instance.ts'
import type { Kind } from '../kinds/kind.ts'
import { kinds } from '../kinds/kinds.ts'
import { checkNic } from '../links/connect-nic.ts'
import { findConnection } from '../links/connections.ts'
import { type NicAddress, sameNic } from '../links/nic-address.ts'
import { isPlaceholder, placeholder } from '../links/placeholder.ts'
import type { ProjectId } from '../projects/project.ts'
import type { CaptureEntry } from '../projects/project-files.ts'
import { type Undo, withUndo } from '../with-undo.ts'
import type { CaptureDirection, CaptureLimit, CaptureRecord } from './capture.ts'
import type { FilterProgram } from './capture-filter.ts'
import { removeExpiredCaptures } from './expired-captures.ts'
import { linkTypeNumber } from './link-type.ts'

/** The header of a pcap file. */
const HEADER_BYTES = 24

/** Packet captures on NICs of every kind. A NIC can be captured before it is connected, except a port of a switch. */
export interface Captures {
  /**
   * Starts a capture, and replaces a file of the same name. The default data link type is the first that the NIC
   * supports, the default direction is `both`. Fails with `limit-reached` where the project's captures have no space
   * left, or as many files as the host allows. `filter` is an expression of pcap-filter; a wrong one is `refused`.
   *
   * @returns the absolute path of the file
   */
  start(
    reference: InstanceReference,
    nic: NicAddress,
    capture: Pick<CaptureRecord, 'fileName'> & Partial<CaptureRecord>,
  ): ResultAsync<string, EmulationError>
  /**
   * Resolves when the file is complete. A capture that reaches its own or its project's limit stops without this call.
   */
  stop(reference: InstanceReference, nic: NicAddress): ResultAsync<void, EmulationError>
  /** Streams the frames from now on as a pcap file without an end. Independent of a capture to a file. */
  stream(
    reference: InstanceReference,
    nic: NicAddress,
    options: { readonly direction?: CaptureDirection; readonly filter?: string; readonly signal: AbortSignal },
  ): ResultAsync<AsyncIterable<Uint8Array>, EmulationError>
  /** Lists the capture files of a project that have not expired, and whether a capture is writing each. */
  list(projectId: ProjectId): ResultAsync<readonly (CaptureEntry & { readonly active: boolean })[], EmulationError>
  /**
   * Streams a capture file. Fails with `capture-not-found` where it is absent.
   *
   * @param options.follow continues with what is captured, until the signal aborts or the file is deleted
   */
  read(
    projectId: ProjectId,
    fileName: string,
    options: { readonly follow: boolean; readonly signal: AbortSignal },
  ): ResultAsync<AsyncIterable<Uint8Array>, EmulationError>
  /** Deletes a capture file. Fails with `capture-file-busy` while the file is being written. */
  remove(projectId: ProjectId, fileName: string): ResultAsync<void, EmulationError>
}

export function createCaptures(context: Context): Captures {
  const { repositories, relay, files, captureFiles, limits } = context

  const findProject = async (projectId: ProjectId) => {
    await context.recovered()
    const project = await repositories.projects.find(projectId)
    return project ? ok(project) : err({ type: 'project-not-found', projectId } as const)
  }

  const store = <K extends Kind>(record: InstanceRecord<K>, connection: Connection) => {
    const { connections } = record
    return storeInstance(context, record, {
      connections: connections.some((other) => sameNic(other, connection))
        ? connections.map((other) => (sameNic(other, connection) ? connection : other))
        : [...connections, connection],
    })
  }

  const compile = async (
    filter: string | undefined,
    dataLinkType: string,
  ): Promise<Result<FilterProgram | undefined, EmulationError>> => {
    if (filter === undefined) return ok(undefined)
    const { captureFilters } = context
    if (captureFilters) return attempt(() => captureFilters.compile(filter, dataLinkType))
    return err({ type: 'refused', reason: 'unsupported', message: 'This server compiles no filters of captures.' })
  }

  const start = async (
    record: InstanceRecord,
    nic: NicAddress,
    { fileName, dataLinkType, direction = 'both', filter }: Parameters<Captures['start']>[2],
    undo: Undo,
  ): Promise<Result<string, EmulationError>> => {
    const found = findCapturable(record, nic)
    if (found.isErr()) return err(found.error)
    const { adapter, port, capture } = found.value
    if (capture) return err({ type: 'capture-active', nic: { adapter, port } })
    const linkType = linkTypeFor(record, nic, dataLinkType)
    if (linkType.isErr()) return err(linkType.error)
    const program = await compile(filter, linkType.value.name)
    if (program.isErr()) return err(program.error)
    const project = await findProject(record.projectId)
    if (project.isErr()) return err(project.error)
    const taken = captureFiles.take(record.projectId, fileName)
    if (!taken) return err({ type: 'capture-file-busy', fileName })
    undo(() => captureFiles.release(record.projectId, fileName))

    const counted = await attempt(() => removeExpiredCaptures(context, project.value))
    if (counted.isErr()) return err(counted.error)
    const limit = limits.captureFilesOfAProject
    if (counted.value.filter(({ name }) => name !== fileName).length >= limit)
      return err({ type: 'limit-reached', what: 'capture files', limit })
    const claim = (bytes: number) => captureFiles.claim(record.projectId, fileName, bytes)
    if (!claim(HEADER_BYTES))
      return err({ type: 'limit-reached', what: 'bytes of captures', limit: limits.projectCaptureBytes })
    const sink = await attempt(() => files.createCapture(project.value, fileName))
    if (sink.isErr()) return err(sink.error)
    undo(() => files.removeCapture(project.value, fileName))
    undo(() => sink.value.close())
    const key = { instanceId: record.id, adapter, port }
    if (!record.connections.includes(found.value)) {
      const asPlaceholder = await attempt(() => relay.connect(key, found.value.nio, { linkUp: false }))
      if (asPlaceholder.isErr()) return err(asPlaceholder.error)
      undo(() => relay.disconnect(key))
    }
    const ended = (limit: CaptureLimit) => {
      withInstance(context, record, 'run', async (current) =>
        captureFiles.isTaken(record.projectId, fileName, taken) ? stop(current, nic, limit) : ok(undefined),
      ).catch(context.onFault)
    }
    const number = linkType.value.number
    const options = {
      linkType: number,
      direction,
      ...(program.value && { filter: program.value }),
      sink: sink.value,
      limitBytes: limits.captureBytes,
      claim,
      ended,
    }
    const started = await attempt(() => relay.startCapture(key, options))
    if (started.isErr()) return err(started.error)
    undo(() => relay.stopCapture(key))

    const active = { fileName, dataLinkType: linkType.value.name, direction, ...(filter !== undefined && { filter }) }
    const stored = await store(record, { ...found.value, capture: active })
    if (stored.isErr()) return err(stored.error)
    const instance = await presentInstance(context, stored.value)
    context.emit('capture.started', instance, { nic: { adapter, port }, capture: active })
    return ok(sink.value.path)
  }

  const stop = async (
    record: InstanceRecord,
    nic: NicAddress,
    limit?: CaptureLimit,
  ): Promise<Result<undefined, EmulationError>> => {
    const found = findCapturable(record, nic)
    if (found.isErr()) return err(found.error)
    const { capture, ...connection } = found.value
    const { adapter, port } = connection
    if (!capture) return err({ type: 'capture-not-active', nic: { adapter, port } })
    const failures: unknown[] = []
    // The capture has ended even where its file could not be written.
    await relay.stopCapture({ instanceId: record.id, adapter, port }).catch((fault: unknown) => failures.push(fault))
    captureFiles.release(record.projectId, capture.fileName)
    const asPlaceholder = isPlaceholder(record.kind, connection)
    if (asPlaceholder) await relay.disconnect({ instanceId: record.id, adapter, port })
    const stored = asPlaceholder
      ? await storeInstance(context, record, {
          connections: record.connections.filter((other) => other !== found.value),
        })
      : await store(record, connection)
    if (stored.isErr()) return err(stored.error)
    const instance = await presentInstance(context, stored.value)
    context.emit('capture.stopped', instance, { nic: { adapter, port }, capture, ...(limit ? { limit } : {}) })
    for (const fault of failures) throw fault
    return ok(undefined)
  }

  return {
    start: (reference, nic, capture) =>
      new ResultAsync(
        withInstance(context, reference, 'run', (record) => withUndo((undo) => start(record, nic, capture, undo))),
      ),
    stop: (reference, nic) => new ResultAsync(withInstance(context, reference, 'run', (record) => stop(record, nic))),
    stream: (reference, nic, { direction = 'both', filter, signal }) =>
      new ResultAsync(context.recovered().then(() => findInstance(context, reference))).andThen((record) =>
        findConnection(record, nic)
          .andThen(() => linkTypeFor(record, nic))
          .asyncAndThen(({ number, name }) =>
            new ResultAsync(compile(filter, name)).map((program) => ({ number, program })),
          )
          .map(({ number, program }) => {
            const { adapter, port } = nic
            const options = { linkType: number, direction, ...(program && { filter: program }), signal }
            return relay.streamCapture({ instanceId: record.id, adapter, port }, options)
          }),
      ),
    list: (projectId) =>
      new ResultAsync(findProject(projectId)).map(async (project) =>
        (await removeExpiredCaptures(context, project)).map((entry) => ({
          ...entry,
          active: captureFiles.isTaken(projectId, entry.name),
        })),
      ),
    read: (projectId, fileName, options) =>
      new ResultAsync<AsyncIterable<Uint8Array>, EmulationError>(
        findProject(projectId).then(async (project) => {
          if (project.isErr()) return err(project.error)
          const source = await attempt(() => files.readCapture(project.value, fileName, options))
          if (source.isErr()) return err(source.error)
          return source.value ? ok(source.value) : err({ type: 'capture-not-found', fileName })
        }),
      ),
    remove: (projectId, fileName) =>
      new ResultAsync<undefined, EmulationError>(
        findProject(projectId).then(async (project) => {
          if (project.isErr()) return err(project.error)
          if (captureFiles.isTaken(projectId, fileName)) return err({ type: 'capture-file-busy', fileName })
          const removed = await attempt(() => files.removeCapture(project.value, fileName))
          if (removed.isErr()) return err(removed.error)
          const count = captureFiles.count(projectId)
          count(await files.captures(project.value))
          return removed.value ? ok(undefined) : err({ type: 'capture-not-found', fileName })
        }),
      ),
  }
}

/** Finds the connection of a NIC, or makes a placeholder while it has none. */
function findCapturable<K extends Kind>(
  record: InstanceRecord<K>,
  nic: NicAddress,
): Result<Connection, EmulationError> {
  const existing = record.connections.find((connection) => sameNic(connection, nic))
  if (existing) return ok(existing)
  return kinds[record.kind].connectsOnce
    ? findConnection(record, nic)
    : checkNic(record, nic).map(() => placeholder(nic))
}

/** @param dataLinkType by default the first that the NIC supports */
function linkTypeFor<K extends Kind>(
  { kind, settings }: InstanceRecord<K>,
  nic: NicAddress,
  dataLinkType?: string,
): Result<{ readonly name: string; readonly number: number }, EmulationError> {
  const supported = kinds[kind].dataLinkTypes(settings, nic)
  const name = dataLinkType ?? supported[0] ?? ''
  const number = supported.includes(name) ? linkTypeNumber(name) : undefined
  return number === undefined
    ? err({ type: 'data-link-type-unsupported', dataLinkType: name, supported })
    : ok({ name, number })
}
