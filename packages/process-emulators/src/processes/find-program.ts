import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { Refusal } from '@trivium/emulation-core/ports'

/** The directories of programs on Debian and similar systems. The `PATH` of the server is not used. */
export const defaultProgramDirectories: readonly string[] = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
]

export interface ProgramQuery {
  /** A plain name, which is searched in the directories, or an absolute path. */
  readonly program: string
  readonly directories: readonly string[]
  /** The name of the program in the message. */
  readonly title: string
  /** The Debian package of the program. Absent where Debian has none. */
  readonly debianPackage?: string
}

/** @returns the absolute path. Rejects with a `missing-program` refusal that names the Debian package. */
export async function findProgram({ program, directories, title, debianPackage }: ProgramQuery): Promise<string> {
  const candidates = isAbsolute(program) ? [program] : directories.map((directory) => join(directory, program))
  for (const candidate of candidates) if (await isProgram(candidate)) return candidate
  const where = isAbsolute(program) ? `at ${program}` : `as '${program}' in ${directories.join(delimiter)}`
  const help = debianPackage === undefined ? '' : `. On Debian, run: apt install ${debianPackage}`
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
