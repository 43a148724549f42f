import { removeExpiredCaptures } from './captures/expired-captures.ts'
import type { Context } from './context.ts'
import { removeExpiredUploads } from './disk-images/expired-uploads.ts'
import { restorePorts } from './instances/claim-ports.ts'
import type { InstanceRecord } from './instances/instance.ts'
import { startInstance } from './instances/start-instance.ts'
import { storeInstance } from './instances/store-instance.ts'
import type { Kind } from './kinds/kind.ts'
import { kinds } from './kinds/kinds.ts'
import { discardFiles } from './projects/commit-removals.ts'
import type { Project, ProjectId } from './projects/project.ts'
import { isRefusal } from './refusal.ts'

/** The result of a recovery from the last run. */
export interface RecoveryReport {
  /** Open projects, without the deleted temporary ones. */
  readonly projects: number
  /** Instances of those projects. */
  readonly instances: number
  /** Temporary projects that were deleted with their directories. */
  readonly temporaryProjects: number
  /** Instances that had processes when the server ended. They are stopped now. */
  readonly interrupted: number
  /** Connections that could not be restored, and switches that did not start. They stay stored, without effect. */
  readonly problems: readonly RecoveryProblem[]
}

export interface RecoveryProblem {
  readonly projectId: ProjectId
  readonly instance: string
  readonly message: string
}

/** How many projects or instances are restored at the same time. */
const CONCURRENCY = 32

/**
 * Restores the stored state: ends processes that a crash left, deletes temporary projects, takes ports, connects NICs,
 * and starts instances that are always on. All others are stopped.
 */
export async function recover(context: Context): Promise<RecoveryReport> {
  const { repositories, instanceCounts, files } = context
  const projects = await repositories.projects.list()
  const kept = projects.filter(({ temporary }) => !temporary)
  const instances = await repositories.instances.list()
  await endOrphans(context, projects, instances)

  const temporary = projects.filter((project) => project.temporary)
  const projectsById = new Map(temporary.map((project) => [project.id, project]))
  for (const instance of instances) {
    const project = projectsById.get(instance.projectId)
    if (project) await discardFiles(context, project, instance).catch(context.onFault)
  }
  for (const project of temporary) {
    await files.removeProject(project).catch(context.onFault)
    await repositories.instances.removeProject(project.id)
    await repositories.drawings.removeProject(project.id)
    await repositories.projects.remove(project.id)
  }
  await inGroups(kept, (project) => removeStaleMarker(context, project))
  await files.removeTemporary().catch(context.onFault)
  await inGroups(kept, (project) => removeExpiredCaptures(context, project).catch(context.onFault))

  await removeExpiredUploads(context, new Set()).catch(context.onFault)

  // A recovery that failed with the store runs again from its start.
  instanceCounts.clear()
  for (const { id } of kept) instanceCounts.addProject(id)
  const keptById = new Map(kept.map((project) => [project.id, project]))
  const remaining = instances.flatMap((instance) => {
    const project = keptById.get(instance.projectId)
    return project ? [{ instance, project }] : []
  })
  for (const { instance, project } of remaining) claimInMemory(context, instance, project)
  const problems = (
    await inGroups(remaining, ({ instance, project }) => restoreInstance(context, instance, project))
  ).flat()
  return {
    projects: kept.length,
    instances: remaining.length,
    temporaryProjects: temporary.length,
    interrupted: remaining.filter(({ instance }) => instance.processes.length > 0).length,
    problems,
  }
}

/** Ends processes of instances that no server holds. */
async function endOrphans(
  { emulators, files }: Context,
  projects: readonly Project[],
  instances: readonly InstanceRecord[],
) {
  const projectsById = new Map(projects.map((project) => [project.id, project]))
  for (const emulator of Object.values(emulators)) {
    const orphans = instances.flatMap(({ id, kind, projectId, processes }) => {
      const project = projectsById.get(projectId)
      if (!project || kind !== emulator.kind) return []
      return [{ id, projectId, directory: files.instancePath({ project, kind, id }), processes }]
    })
    await emulator.endOrphans?.(orphans)
  }
}

/** Removes a marker of temporary projects that a crash may have left. The store has whether a project is temporary. */
async function removeStaleMarker({ files, onFault }: Context, project: Project): Promise<void> {
  if (project.path.startsWith(`${files.location}/`)) await files.openProject(project).catch(onFault)
}

/** Takes the ports, the slot and the count of a stored instance in memory. */
function claimInMemory<K extends Kind>(
  { ports, slots, instanceCounts, udpPorts }: Context,
  instance: InstanceRecord<K>,
  project: Project,
): void {
  instanceCounts.addInstance(instance.projectId)
  restorePorts({ ports }, kinds[instance.kind].portsOf(instance.settings))
  slots.restore(instance)
  for (const { adapter, port, nio } of instance.connections) {
    if (nio.type === 'udp') udpPorts.restore(nio.localPort, { instanceId: instance.id, adapter, port }, project)
  }
}

async function restoreInstance<K extends Kind>(
  context: Context,
  instance: InstanceRecord<K>,
  project: Project,
): Promise<readonly RecoveryProblem[]> {
  const { relay, udpPorts } = context
  const problem = (message: string): RecoveryProblem => ({
    projectId: instance.projectId,
    instance: instance.name,
    message,
  })
  const problems: RecoveryProblem[] = []
  const connections = instance.connections.map(({ capture: _ended, ...connection }) => connection)
  let current = instance
  if (instance.processes.length > 0 || instance.connections.some(({ capture }) => capture)) {
    const stored = await storeInstance(context, instance, { connections, processes: [] })
    if (stored.isOk()) current = stored.value
  }
  for (const { adapter, port, nio, impairments, linkUp } of connections) {
    const nic = { instanceId: instance.id, adapter, port }
    try {
      const { ownPort } = await relay.connect(nic, nio, { impairments, linkUp })
      if (ownPort !== undefined) udpPorts.restoreTarget(ownPort, nic, project)
    } catch (error) {
      if (!isRefusal(error)) throw error
      // Where its other end is, the relay has not found out: it could be a port of this machine.
      if (nio.type === 'udp') udpPorts.restoreTarget(nio.remotePort, nic, project)
      problems.push(problem(`Port ${port} of adapter ${adapter} could not be connected: ${error.message}`))
    }
  }
  if (kinds[instance.kind].alwaysOn && context.emulators[instance.kind] && !context.live.has(instance.id)) {
    const started = await startInstance(context, current)
    if (started.isErr())
      problems.push(
        problem(`Could not be started: ${'message' in started.error ? started.error.message : started.error.type}`),
      )
  }
  return problems
}

async function inGroups<T, R>(items: readonly T[], task: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; start += CONCURRENCY) {
    results.push(...(await Promise.all(items.slice(start, start + CONCURRENCY).map(task))))
  }
  return results
}
