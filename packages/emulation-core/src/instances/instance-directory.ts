import type { Context } from '../context.ts'
import { Refusal } from '../refusal.ts'
import type { InstanceRecord } from './instance.ts'

/** Creates the directory of an instance where it is missing. @returns its absolute path */
export async function instanceDirectory(
  { repositories, files }: Context,
  { id, kind, projectId }: Pick<InstanceRecord, 'id' | 'kind' | 'projectId'>,
): Promise<string> {
  const project = await repositories.projects.find(projectId)
  if (!project) throw new Refusal('unavailable', `The project of instance '${id}' does not exist.`)
  return files.openInstance({ project, kind, id })
}
