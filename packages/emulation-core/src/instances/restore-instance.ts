import type { Context } from '../context.ts'
import type { Kind } from '../kinds/kind.ts'
import { kinds } from '../kinds/kinds.ts'
import type { Nic } from '../links/nic.ts'
import type { Project, ProjectId } from '../projects/project.ts'
import { isRefusal } from '../refusal.ts'
import type { InstanceRecord } from './instance.ts'
import { startInstance } from './start-instance.ts'

/** Something of a stored instance that could not be restored. It stays stored, without effect. */
export interface RestoreProblem {
  readonly projectId: ProjectId
  readonly instance: string
  readonly message: string
}

/** Keeps a port of this machine at which a NIC sends its frames. */
export type PointAt = (port: number, nic: Nic, project: Project) => unknown

/**
 * Connects the NICs of a stored instance whose ports are taken, and starts it where its kind is always on.
 */
export async function restoreInstance<K extends Kind>(
  context: Context,
  instance: InstanceRecord<K>,
  project: Project,
  pointAt: PointAt,
): Promise<readonly RestoreProblem[]> {
  const problems: RestoreProblem[] = []
  const report = (message: string) => problems.push({ projectId: instance.projectId, instance: instance.name, message })
  for (const { adapter, port, nio, impairments, linkUp } of instance.connections) {
    const nic = { instanceId: instance.id, adapter, port }
    try {
      const { ownPort } = await context.relay.connect(nic, nio, { impairments, linkUp })
      if (ownPort !== undefined) await pointAt(ownPort, nic, project)
    } catch (error) {
      if (!isRefusal(error)) throw error
      // Where its other end is, the relay has not found out: it could be a port of this machine.
      if (nio.type === 'udp') await pointAt(nio.remotePort, nic, project)
      report(`Port ${port} of adapter ${adapter} could not be connected: ${error.message}`)
    }
  }
  if (kinds[instance.kind].alwaysOn && context.emulators[instance.kind] && !context.live.has(instance.id)) {
    const started = await startInstance(context, instance)
    if (started.isErr())
      report(`Could not be started: ${'message' in started.error ? started.error.message : started.error.type}`)
  }
  return problems
}
