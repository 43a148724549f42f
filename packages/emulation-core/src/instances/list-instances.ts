import { err, ok, type Result } from 'neverthrow'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import { inGroups } from '../in-groups.ts'
import type { Kind } from '../kinds/kind.ts'
import type { ProjectId } from '../projects/project.ts'
import type { Instance, InstanceRecord } from './instance.ts'
import { presentInstance } from './present-instance.ts'

export async function listInstances<K extends Kind>(
  context: Context,
  projectId: ProjectId,
  kind?: K,
): Promise<Result<readonly Instance<K>[], EmulationError>> {
  await context.recovered()
  const project = await context.repositories.projects.find(projectId)
  if (!project) return err({ type: 'project-not-found', projectId })
  const filter = kind === undefined ? { projectId } : { projectId, kind }
  // With a kind, the filter lets only instances of that kind through.
  const records = (await context.repositories.instances.list(filter)) as readonly InstanceRecord<K>[]
  return ok(await inGroups(records, (record) => presentInstance(context, record, project)))
}
