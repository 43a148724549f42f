import { removeExpiredCaptures } from './captures/expired-captures.ts'
import type { Context } from './context.ts'
import { removeExpiredUploads } from './disk-images/expired-uploads.ts'
import { inGroups } from './in-groups.ts'
import { restorePorts } from './instances/claim-ports.ts'
import type { InstanceRecord } from './instances/instance.ts'
import { type RestoreProblem, restoreInstance } from './instances/restore-instance.ts'
import { storeInstance } from './instances/store-instance.ts'
import type { Kind } from './kinds/kind.ts'
import { kinds } from './kinds/kinds.ts'
import { discardFiles } from './projects/commit-removals.ts'
import type { Project } from './projects/project.ts'

/** The result of a recovery from the last run. */
export interface RecoveryReport {
  /** Projects, closed ones included, without the deleted temporary ones. */
  readonly projects: number
  /** Instances of those projects. */
  readonly instances: number
  /** Temporary projects that were deleted with their directories. */
  readonly temporaryProjects: number
  /** Instances that had processes when the server ended. They are stopped now. */
  readonly interrupted: number
  /** Connections that could not be restored, and switches that did not start. They stay stored, without effect. */
  readonly problems: readonly RestoreProblem[]
}

/**
 * Restores the stored state: ends processes that a crash left, deletes temporary projects and incomplete copies, and for
 * open projects takes ports, connects NICs and starts instances that are always on. All others are stopped.
 */
export async function recover(context: Context): Promise<RecoveryReport> {
  const { repositories, instanceCounts, projectStates, udpPorts, files } = context
  const projects = await repositories.projects.list()
  const isKept = ({ temporary, status }: Project) => !temporary && status !== 'incomplete'
  const kept = projects.filter(isKept)
  const instances = await repositories.instances.list()
  await endOrphans(context, projects, instances)

  const discarded = projects.filter((project) => !isKept(project))
  const projectsById = new Map(discarded.map((project) => [project.id, project]))
  for (const instance of instances) {
    const project = projectsById.get(instance.projectId)
    if (project) await discardFiles(context, project, instance).catch(context.onFault)
  }
  for (const project of discarded) {
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
  projectStates.clear()
  for (const project of kept) {
    instanceCounts.addProject(project.id)
    projectStates.set(project)
  }
  const keptById = new Map(kept.map((project) => [project.id, project]))
  const remaining = instances.flatMap((instance) => {
    const project = keptById.get(instance.projectId)
    return project ? [{ instance, project }] : []
  })
  for (const { instance, project } of remaining) {
    instanceCounts.addInstance(project.id)
    instanceCounts.noteChange(project.id, instance.changedAt ?? instance.createdAt)
    if (project.status === 'opened') claimInMemory(context, instance, project)
  }
  const problems = await inGroups(remaining, async ({ instance, project }) => {
    const stopped = await withoutRun(context, instance)
    return project.status === 'opened' ? restoreInstance(context, stopped, project, udpPorts.restoreTarget) : []
  })
  return {
    projects: kept.length,
    instances: remaining.length,
    temporaryProjects: discarded.filter((project) => project.temporary).length,
    interrupted: remaining.filter(({ instance }) => instance.processes.length > 0).length,
    problems: problems.flat(),
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

/** Takes the ports and the slot of a stored instance in memory. */
function claimInMemory<K extends Kind>(
  { ports, slots, udpPorts }: Context,
  instance: InstanceRecord<K>,
  project: Project,
): void {
  restorePorts({ ports }, kinds[instance.kind].portsOf(instance.settings))
  slots.restore(instance)
  for (const { adapter, port, nio } of instance.connections) {
    if (nio.type === 'udp') udpPorts.restore(nio.localPort, { instanceId: instance.id, adapter, port }, project)
  }
}

/** Removes from a stored instance the processes and captures that have ended with the last run. */
async function withoutRun(context: Context, instance: InstanceRecord): Promise<InstanceRecord> {
  if (instance.processes.length === 0 && instance.connections.every(({ capture }) => !capture)) return instance
  const connections = instance.connections.map(({ capture: _ended, ...connection }) => connection)
  const changedAt = instance.changedAt ?? instance.createdAt
  const stored = await storeInstance(context, instance, { connections, processes: [], changedAt })
  return stored.unwrapOr({ ...instance, connections })
}
