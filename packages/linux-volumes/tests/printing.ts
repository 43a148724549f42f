import type { RunProgram } from '../src/programs/run-program.ts'

/** A `RunProgram` that runs no program. Each call returns the same output. */
export const printing =
  (output: string): RunProgram =>
  async (_program, _args, { onLine } = {}) => {
    if (!onLine) return output
    const lines = output.split('\n')
    if (lines.at(-1) === '') lines.pop()
    for (const line of lines) onLine(line)
    return ''
  }
