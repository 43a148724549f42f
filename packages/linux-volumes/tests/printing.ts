import type { RunProgram } from '../src/programs/run-program.ts'

/** Runs no program: each prints that text. */
export const printing =
  (output: string): RunProgram =>
  async (_program, _args, { onLine } = {}) => {
    if (!onLine) return output
    const lines = output.split('\n')
    if (lines.at(-1) === '') lines.pop()
    for (const line of lines) onLine(line)
    return ''
  }
