import { homedir } from 'node:os'
import { delimiter } from 'node:path'
import { defaultProgramDirectories } from './find-program.ts'

/** The environment of child processes. That of the server can contain secrets and is never passed on. */
export type ProcessEnvironment = Readonly<Record<string, string>>

/** Selects English, machine-readable output and the usual directories of programs. */
export const plainEnvironment = (): ProcessEnvironment => ({
  PATH: defaultProgramDirectories.join(delimiter),
  HOME: homedir(),
  LANG: 'C',
  LC_ALL: 'C',
})

/** Marks every process of an instance, with its children, so that they are found after a crash of the server. */
export const INSTANCE_VARIABLE = 'TRIVIUM_INSTANCE'

/**
 * Marks helpers that run for the server and not for an instance, so that they are found after a crash. The value is the
 * number of the server's process, which is their parent.
 */
export const SERVER_VARIABLE = 'TRIVIUM_SERVER'

/** Marks one start of a process, with its children, so that those are found that have left its session. */
export const START_VARIABLE = 'TRIVIUM_START'
