import { err, ok, type Result } from 'neverthrow'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import { inGroups } from '../in-groups.ts'
import type { InstanceRecord } from '../instances/instance.ts'
import { releaseInstance } from '../instances/release-instance.ts'
import { stopInstance } from '../instances/stop-instance.ts'
import { storeInstance } from '../instances/store-instance.ts'
import { isPlaceholder } from '../links/placeholder.ts'
import { withPendingWrite } from '../pending-writes.ts'
import type { Project } from './project.ts'

/**
 * Stops the instances of a project and frees their ports, slots and connections. All of it stays stored. The caller
 * holds the project's lock. No effect on a closed one.
 */
export async function closeProject(context: Context, project: Project): Promise<Result<Project, EmulationError>> {
  const { repositories, captureFiles, slots, projectStates, pendingWrites, labRuns } = context
  if (project.status === 'closed') return ok(project)
  // The run waits for the lock that the caller holds.
  void labRuns.end(project.id)
  const instances = await repositories.instances.list({ projectId: project.id })
  const stopped = await inGroups(instances, ({ id }) => stopLocked(context, id))
  for (const result of stopped) if (result.isErr()) return err(result.error)
  const closed: Project = { ...project, status: 'closed', revision: project.revision + 1 }
  const finish = async () => {
    projectStates.set(closed)
    for (const record of await repositories.instances.list({ projectId: project.id })) {
      await releaseInstance(context, record)
      await storeWithoutCaptures(context, record)
    }
    slots.removeProject(project.id)
    captureFiles.removeProject(project.id)
  }
  const stored = await withPendingWrite(pendingWrites, () => repositories.projects.replace(closed), {
    wasApplied: async () => (await repositories.projects.find(project.id))?.status === 'closed',
    finish,
  })
  if (!stored) return err({ type: 'project-busy', projectId: project.id })
  await finish()
  context.emit('project.closed', closed)
  return ok(closed)
}

const stopLocked = (context: Context, id: InstanceRecord['id']): Promise<Result<unknown, EmulationError>> =>
  context.instanceLocks.exclusive(id, async () => {
    const current = await context.repositories.instances.find(id)
    return current ? stopInstance(context, current) : ok(undefined)
  })

async function storeWithoutCaptures(context: Context, record: InstanceRecord): Promise<void> {
  if (record.connections.every(({ capture }) => !capture)) return
  const connections = record.connections
    .filter((connection) => !isPlaceholder(record.kind, connection))
    .map(({ capture: _ended, ...connection }) => connection)
  await storeInstance(context, record, { connections, changedAt: record.changedAt ?? record.createdAt })
}
