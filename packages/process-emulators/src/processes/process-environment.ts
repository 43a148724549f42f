import { homedir } from 'node:os'
import { delimiter } from 'node:path'
import { usualProgramDirectories } from './find-program.ts'

/** What child processes get to see of the outside. The server's own environment may hold secrets: none of it is passed on. */
export type ProcessEnvironment = Readonly<Record<string, string>>

/** English, machine-readable output and the usual programs. */
export const plainEnvironment = (): ProcessEnvironment => ({
  PATH: usualProgramDirectories.join(delimiter),
  HOME: homedir(),
  LANG: 'C',
  LC_ALL: 'C',
})

/** In the environment of every process that runs for an instance, its children's too: how a crash's strays are found. */
export const INSTANCE_VARIABLE = 'TRIVIUM_INSTANCE'

/**
 * In the environment of a helper that runs for the server and not for an instance: the number of the server's process,
 * which is its parent. How what a crash left of them is found.
 */
export const SERVER_VARIABLE = 'TRIVIUM_SERVER'

/** In the environment of one start of a process, its children's too: how what has left its session and its parent is found. */
export const START_VARIABLE = 'TRIVIUM_START'
