import { err, ok, type Result } from 'neverthrow'
import { attempt } from '../attempt.ts'
import { afterCalls } from '../calls-in-turn.ts'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import { inGroups } from '../in-groups.ts'
import { reclaimPorts } from '../instances/claim-ports.ts'
import type { InstanceRecord } from '../instances/instance.ts'
import { type PointAt, restoreInstance } from '../instances/restore-instance.ts'
import type { Kind } from '../kinds/kind.ts'
import { kinds } from '../kinds/kinds.ts'
import { isLoopbackName } from '../links/loopback-name.ts'
import { nicKey } from '../links/nic.ts'
import { type Undo, withUndo } from '../with-undo.ts'
import type { Project } from './project.ts'

/**
 * Opens a closed project: takes the ports and slots of its instances, others where theirs are taken meanwhile, connects
 * its NICs and starts its switches. The caller holds its lock. Fails with nothing changed where no port is free.
 */
export async function openProject(context: Context, project: Project): Promise<Result<Project, EmulationError>> {
  if (project.archived) return err({ type: 'project-archived', projectId: project.id })
  const directory = await attempt(() => context.files.openProject(project))
  if (directory.isErr()) return err(directory.error)
  const opened: Project = { ...project, status: 'opened', revision: project.revision + 1 }
  const records = await withUndo(
    (undo) => claim(context, project, opened, undo),
    (release) =>
      context.pendingWrites.add({
        wasApplied: async () => (await context.repositories.projects.find(project.id))?.status === 'opened',
        finish: async () =>
          connect(context, opened, await context.repositories.instances.list({ projectId: project.id })),
        release,
      }),
  )
  if (records.isErr()) return err(records.error)
  await connect(context, opened, records.value)
  return ok(opened)
}

/** Takes what the instances need, and stores the project as open in the last write. */
async function claim(
  context: Context,
  project: Project,
  opened: Project,
  undo: Undo,
): Promise<Result<readonly InstanceRecord[], EmulationError>> {
  const { repositories } = context
  const claimed: Reclaimed[] = []
  for (const [index, record] of (await repositories.instances.list({ projectId: project.id })).entries()) {
    await afterCalls(index)
    const result = await reclaim(context, record, undo)
    if (result.isErr()) return err(result.error)
    claimed.push({ before: record, after: result.value })
  }
  const udp = await reclaimUdpPorts(context, project, claimed, undo)
  if (udp.isErr()) return err(udp.error)
  const records = claimed.map(({ before, after }) =>
    nextRevision(before, { ...after, connections: after.connections.map(udp.value) }),
  )
  const changed = records.filter((record, index) => record !== claimed[index]?.before)
  // In one step: a link of which one end alone has its new port would be broken.
  if (!(await repositories.instances.replaceAll(changed))) return err({ type: 'project-busy', projectId: project.id })
  if (!(await repositories.projects.replace(opened))) return err({ type: 'project-busy', projectId: project.id })
  return ok(records)
}

/** Connects the instances of a project that is stored as open. What fails is logged, and stays stored without effect. */
async function connect(context: Context, opened: Project, records: readonly InstanceRecord[]): Promise<void> {
  const { projectStates, udpPorts, reopened, emit, onFault } = context
  projectStates.set(opened)
  for (const { id, connections } of records)
    for (const { adapter, port } of connections) reopened.add(nicKey({ instanceId: id, adapter, port }))
  const pointAt: PointAt = (port, nic) => udpPorts.pointAt(port, nic, opened)
  const problems = await inGroups(records, (record) =>
    restoreInstance(context, record, opened, pointAt).catch((fault) => {
      onFault(fault)
      return [{ projectId: opened.id, instance: record.name, message: 'Could not be connected.' }]
    }),
  )
  for (const { instance, message } of problems.flat())
    emit('log', { projectId: opened.id, level: 'warning', message: `${instance}: ${message}` })
}

interface Reclaimed {
  readonly before: InstanceRecord
  readonly after: InstanceRecord
}

/** Takes the console ports and the slot of an instance again. */
async function reclaim<K extends Kind>(
  context: Context,
  record: InstanceRecord<K>,
  undo: Undo,
): Promise<Result<InstanceRecord<K>, EmulationError>> {
  const { slots } = context
  const { kind, projectId, settings } = record
  const definition = kinds[kind]
  const ports = await reclaimPorts(context, definition.portFields, definition.portsOf(settings), undo)
  if (ports.isErr()) return err(ports.error)
  const withPorts = { ...record, settings: definition.withPorts(settings, ports.value) }
  if (slots.claim(record)) {
    undo(() => slots.release(record), 'claim')
    return ok(withPorts)
  }
  const slot = slots.take({ kind, projectId })
  if (slot === 'full') return err({ type: 'slots-exhausted', kind })
  if (slot === 'none') return ok(withPorts)
  undo(() => slots.release({ kind, projectId, slot }), 'claim')
  return ok({ ...withPorts, slot })
}

type Connection = InstanceRecord['connections'][number]

/** Takes the UDP ports of all connections again. @returns what gives a connection its new ports */
async function reclaimUdpPorts(
  { udpPorts, ports }: Context,
  project: Project,
  claimed: readonly Reclaimed[],
  undo: Undo,
): Promise<Result<(connection: Connection) => Connection, EmulationError>> {
  const moved = new Map<number, number>()
  for (const [index, { after: record }] of claimed.entries()) {
    await afterCalls(index)
    for (const { adapter, port, nio } of record.connections) {
      if (nio.type !== 'udp') continue
      const nic = { instanceId: record.id, adapter, port }
      let localPort = nio.localPort
      // A client that has reserved the port is about to use it.
      const isFree = !udpPorts.isReserved(localPort, project)
      if (!isFree || (await udpPorts.attach(localPort, nic, project)) !== 'attached') {
        const free = await udpPorts.reserve(project)
        if (free === undefined) return err({ type: 'ports-exhausted', use: 'udp', ...ports.range('udp') })
        await udpPorts.attach(free, nic, project)
        localPort = free
      }
      undo(() => udpPorts.detach(localPort, nic), 'claim')
      moved.set(nio.localPort, localPort)
    }
  }
  return ok((connection) => {
    const { nio } = connection
    if (nio.type !== 'udp') return connection
    const remotePort = (isLoopbackName(nio.remoteHost) ? moved.get(nio.remotePort) : undefined) ?? nio.remotePort
    const localPort = moved.get(nio.localPort) ?? nio.localPort
    return { ...connection, nio: { ...nio, localPort, remotePort } }
  })
}

/** @returns the record itself where nothing has changed */
function nextRevision(before: InstanceRecord, after: InstanceRecord): InstanceRecord {
  const isEqual = JSON.stringify(after) === JSON.stringify(before)
  return isEqual ? before : { ...after, revision: before.revision + 1 }
}
