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

export async function setProjectId(directory: string, id: number, run: RunProgram): Promise<void> {
  await run(chattr, ['+P', '-p', String(id), '--', directory])
}
