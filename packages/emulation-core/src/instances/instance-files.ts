import type { Context } from '../context.ts'
import type { InstanceFiles } from '../emulators/emulator.ts'
import type { InstanceDirectory } from '../projects/project-files.ts'
import { Refusal } from '../refusal.ts'
import type { InstanceRecord } from './instance.ts'

/** Reads and writes the texts of an instance where its project is now. */
export function instanceFiles(
  { repositories, files }: Context,
  { id, kind, projectId }: Pick<InstanceRecord, 'id' | 'kind' | 'projectId'>,
): InstanceFiles {
  const find = async (): Promise<InstanceDirectory> => {
    const project = await repositories.projects.find(projectId)
    if (!project) throw new Refusal('unavailable', `The project of instance '${id}' does not exist.`)
    return { project, kind, id }
  }
  return {
    read: async (name) => files.readText(await find(), name),
    write: async (name, content) => files.writeText(await find(), name, content),
  }
}
