import { basename, dirname, isAbsolute, resolve } from 'node:path'
import { Refusal } from '@trivium/emulation-core/ports'

/** Names of the programs of the emulator, usually `qemu-system-…` with the architecture. */
const PROGRAM_NAME = /^(qemu-system-[A-Za-z0-9_]+|qemu-kvm|qemu|kvm)$/

export interface ProgramRules {
  /** Directories whose programs with a name of the emulator are allowed. */
  readonly directories: readonly string[]
  /** Absolute paths of programs elsewhere that are allowed, with any name. */
  readonly programs: readonly string[]
}

/**
 * Checks the program of a request: a plain name, or an absolute path in one of the directories.
 *
 * @returns the unchanged name, or the absolute path
 */
export function allowedProgram(program: string, { directories, programs }: ProgramRules): string {
  if (program.includes('\0')) throw refused(program)
  if (!program.includes('/')) {
    if (PROGRAM_NAME.test(program)) return program
    throw refused(program)
  }
  const path = resolve('/', program)
  if (!isAbsolute(program)) throw refused(program)
  if (programs.some((known) => resolve(known) === path)) return path
  if (PROGRAM_NAME.test(basename(path)) && directories.some((directory) => resolve(directory) === dirname(path)))
    return path
  throw refused(program)
}

/** Whether the name is that of a program of the emulator. */
export const isMachineProgram = (name: string): boolean => PROGRAM_NAME.test(name)

/** The architecture in the name of a program. `undefined` where the name has none. */
export const architectureOf = (program: string): string | undefined =>
  /^qemu-system-(\w+)$/.exec(basename(program))?.[1]

/** The default display card of a PC, as guests expect. `undefined` for other boards. */
export function displayOf(program: string): string | undefined {
  const architecture = architectureOf(program)
  return architecture === undefined || architecture === 'x86_64' || architecture === 'i386' ? 'std' : undefined
}

/** The Debian package that has the program. */
export function packageOf(program: string): string {
  const architecture = architectureOf(program)
  if (architecture === undefined || architecture === 'x86_64' || architecture === 'i386') return 'qemu-system-x86'
  for (const family of ['arm', 'aarch64'] as const) if (architecture.startsWith(family)) return 'qemu-system-arm'
  for (const family of ['mips', 'ppc', 'sparc'] as const) {
    if (architecture.startsWith(family)) return `qemu-system-${family}`
  }
  return architecture === 's390x' ? 'qemu-system-s390x' : 'qemu-system-misc'
}

const refused = (program: string) =>
  new Refusal('not-allowed', `QEMU binary '${program}' is not among the programs that this server allows.`)
