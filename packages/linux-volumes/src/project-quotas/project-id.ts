import { chattr, lsattr } from '../programs/programs.ts'
import type { RunProgram } from '../programs/run-program.ts'
import { UnexpectedOutput } from '../programs/unexpected-output.ts'

/** Returns the project that a directory gives to everything created in it, or 0 where it has no project. */
export async function projectId(directory: string, run: RunProgram): Promise<number> {
  const output = await run(lsattr, ['-p', '-d', '--', directory])
  const [, id, flags] = /^\s*(\d{1,10})\s+(\S+)\s.*\n$/.exec(output) ?? []
  if (id === undefined || flags === undefined) throw new UnexpectedOutput('lsattr', output)
  return flags.includes('P') ? Number(id) : 0
}

/**
 * Reads the projects of several directories with one program.
 *
 * @returns their projects in order, each as {@link projectId}
 */
export async function projectIds(directories: readonly string[], run: RunProgram): Promise<readonly number[]> {
  if (directories.length === 0) return []
  const output = await run(lsattr, ['-p', '-d', '--', ...directories])
  let position = 0
  return directories.map((directory) => {
    // A name can contain line breaks, so the output cannot be split at them.
    const [head, id, flags] = /^\s*(\d{1,10})\s+(\S+)\s/.exec(output.slice(position)) ?? []
    const line = `${head}${directory}\n`
    if (id === undefined || flags === undefined || !output.startsWith(line, position)) {
      throw new UnexpectedOutput('lsattr', output.slice(position))
    }
    position += line.length
    return flags.includes('P') ? Number(id) : 0
  })
}

export async function setProjectId(directory: string, id: number, run: RunProgram): Promise<void> {
  await run(chattr, ['+P', '-p', String(id), '--', directory])
}
