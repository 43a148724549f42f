import type { Context } from '../context.ts'
import type { Kind } from '../kinds/kind.ts'
import { kinds } from '../kinds/kinds.ts'
import type { ProjectDirectory } from '../projects/project-files.ts'
import type { Instance, InstanceRecord } from './instance.ts'

/** Adds to a stored instance its state and its text file. */
export async function presentInstance<K extends Kind>(
  { files, live, repositories }: Context,
  record: InstanceRecord<K>,
  project?: ProjectDirectory,
): Promise<Instance<K>> {
  const state = live.get(record.id)?.state ?? 'stopped'
  const { textFile } = kinds[record.kind]
  const absent: Instance<K> = { ...record, state, textFile: null, text: null }
  if (!textFile) return absent
  const home = project ?? (await repositories.projects.find(record.projectId))
  if (!home) return absent
  const directory = { project: home, kind: record.kind, id: record.id }
  if (!textFile.shown)
    return (await files.hasText(directory, textFile.name)) ? { ...absent, textFile: textFile.name } : absent
  const text = await files.readText(directory, textFile.name)
  return text === undefined ? absent : { ...absent, textFile: textFile.name, text }
}
