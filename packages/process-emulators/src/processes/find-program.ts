import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { Refusal } from '@trivium/emulation-core/ports'

/** Where Debian and its kin keep programs. The server's own environment is not asked. */
export const usualProgramDirectories: readonly string[] = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
]

export interface WantedProgram {
  /** A plain name, looked for in the directories, or an absolute path. */
  readonly program: string
  readonly directories: readonly string[]
  /** How people call it, for the message. */
  readonly title: string
  /** Absent for what Debian does not have. */
  readonly debianPackage?: string
}

/** @returns the program's absolute path; rejects with a `missing-program` refusal that says how to get it */
export async function findProgram({ program, directories, title, debianPackage }: WantedProgram): Promise<string> {
  const candidates = isAbsolute(program) ? [program] : directories.map((directory) => join(directory, program))
  for (const candidate of candidates) if (await isProgram(candidate)) return candidate
  const where = isAbsolute(program) ? `at ${program}` : `as '${program}' in ${directories.join(delimiter)}`
  const help = debianPackage === undefined ? '' : `; on Debian: apt install ${debianPackage}`
  throw new Refusal(
    'missing-program',
    `${title} was not found ${where}${help}`,
    debianPackage === undefined ? {} : { debianPackage },
  )
}

export async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
