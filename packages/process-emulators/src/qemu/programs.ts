import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { EmulatorProgram } from '@trivium/emulation-core/ports'
import { isProgram } from '../processes/find-program.ts'
import type { ProcessEnvironment } from '../processes/process-environment.ts'
import { isMachineProgram, type ProgramRules } from './machine-program.ts'
import { type QemuProgram, qemuProgram } from './qemu-version.ts'

export interface ProgramList {
  /** Every allowed program that exists and prints its version. Each is listed once, also when several links lead to it. */
  list(): Promise<readonly EmulatorProgram[]>
  /** Runs the program once for the answer, and again when its file has changed. */
  describe(program: string): Promise<QemuProgram>
}

/** Lists the QEMU programs that the rules allow. */
export function createProgramList(rules: ProgramRules, environment: ProcessEnvironment): ProgramList {
  const cached = new Map<string, { readonly changed: number; readonly answer: Promise<QemuProgram> }>()

  const describe = async (program: string) => {
    const changed = (await stat(program)).mtimeMs
    const last = cached.get(program)
    if (last?.changed === changed) return last.answer
    const answer = qemuProgram(program, environment)
    cached.set(program, { changed, answer })
    answer.catch(() => cached.delete(program))
    return answer
  }

  return {
    describe,
    list: async () => {
      const found: EmulatorProgram[] = []
      const seen = new Set<string>()
      for (const path of [...rules.programs, ...(await inDirectories(rules.directories))]) {
        if (!(await isProgram(path))) continue
        const real = await realpath(path)
        if (seen.has(real)) continue
        seen.add(real)
        const answer = await describe(path).catch(() => undefined)
        if (answer !== undefined) found.push({ path, version: answer.version.text })
      }
      return found
    },
  }
}

async function inDirectories(directories: readonly string[]): Promise<readonly string[]> {
  const names = directories.map(async (directory) => {
    const entries = await readdir(directory).catch(() => [])
    const programs = entries.filter(isMachineProgram).sort()
    // `kvm` and similar names are links to these.
    return programs.sort((one, other) => rank(one) - rank(other)).map((name) => join(directory, name))
  })
  return (await Promise.all(names)).flat()
}

const rank = (name: string) => (name.startsWith('qemu-system-') ? 0 : 1)
