import type { InstanceDirectory, ProjectFiles } from '../projects/project-files.ts'
import type { Undo } from '../with-undo.ts'

/** Writes the text file of an instance, and registers the previous content for undo. */
export async function replaceText(
  files: ProjectFiles,
  directory: InstanceDirectory,
  name: string,
  content: string,
  undo: Undo,
): Promise<void> {
  const before = await files.readText(directory, name)
  if (before === content) return
  undo(() => (before === undefined ? files.removeText(directory, name) : files.writeText(directory, name, before)))
  await files.writeText(directory, name, content)
}
