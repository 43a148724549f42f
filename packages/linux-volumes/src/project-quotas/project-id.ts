import { chattr, lsattr } from '../programs/programs.ts'
import type { RunProgram } from '../programs/run-program.ts'
import { UnexpectedOutput } from '../programs/unexpected-output.ts'

/** The project that a directory gives to all that is made in it; 0 is none. */
export async function projectId(directory: string, run: RunProgram): Promise<number> {
  const output = await run(lsattr, ['-p', '-d', '--', directory])
  const [, id, flags] = /^\s*(\d{1,10})\s+(\S+)\s.*\n$/.exec(output) ?? []
  if (id === undefined || flags === undefined) throw new UnexpectedOutput('lsattr', output)
  return flags.includes('P') ? Number(id) : 0
}

/** The projects of several directories, by one program. @returns for each, in their order, as {@link projectId} does */
export async function projectIds(directories: readonly string[], run: RunProgram): Promise<readonly number[]> {
  if (directories.length === 0) return []
  const output = await run(lsattr, ['-p', '-d', '--', ...directories])
  let position = 0
  return directories.map((directory) => {
    // A name may hold line breaks: the output cannot be split at them.
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
