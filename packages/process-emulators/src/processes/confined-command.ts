import { accessSync, constants, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultProgramDirectories } from './find-program.ts'

/** A program and its arguments. */
export interface Command {
  readonly program: string
  readonly parameters: readonly string[]
}

const SHELL = '/bin/sh'

/** Memory score: between 0, the default, and 1000, which is ended first. */
const LEAST_MEMORY_SCORE = 500

/** `$0` is the memory score. Settings that the system does not have are ignored. */
const SCRIPT = [
  'umask 077',
  '{ echo "$0" > /proc/self/oom_score_adj; echo 0 > /proc/self/coredump_filter; } 2>/dev/null',
  'exec "$@"',
].join('\n')

let confinement: { readonly setpriv: readonly string[]; readonly score: string } | undefined

/**
 * Restricts a program and all processes that it starts:
 *
 * - They never gain privileges by set-user-id programs or capabilities of files (by `setpriv` of util-linux, where it
 *   is installed).
 * - When memory runs out, the operating system ends them before the server. A crash writes no core file, which would
 *   contain the memory of a guest.
 * - Files that they create are not accessible to other users.
 *
 * @returns the unchanged command where the program can't be run, so that the operating system reports why
 */
export function confinedCommand(program: string, parameters: readonly string[]): Command {
  if (!canRun(program) || !canRun(SHELL)) return { program, parameters }
  confinement ??= lookUp()
  const { setpriv, score } = confinement
  return { program: SHELL, parameters: ['-c', SCRIPT, score, ...setpriv, program, ...parameters] }
}

function lookUp() {
  const path = defaultProgramDirectories.map((directory) => join(directory, 'setpriv')).find(canRun)
  return {
    setpriv: path === undefined ? [] : [path, '--no-new-privs', '--'],
    score: `${Math.max(ownScore(), LEAST_MEMORY_SCORE)}`,
  }
}

function ownScore(): number {
  try {
    return Number(readFileSync('/proc/self/oom_score_adj', 'utf8'))
  } catch {
    return 0
  }
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
