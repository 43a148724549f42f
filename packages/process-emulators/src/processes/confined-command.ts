import { accessSync, constants, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { usualProgramDirectories } from './find-program.ts'

/** A program and its arguments. */
export interface Command {
  readonly program: string
  readonly parameters: readonly string[]
}

const SHELL = '/bin/sh'

/** Between the usual 0 and the 1000 of what always goes first. */
const FIRST_TO_GO = 500

/** Its name (`$0`) is the memory score. What the system does not have is left as it is. */
const SCRIPT = [
  'umask 077',
  '{ echo "$0" > /proc/self/oom_score_adj; echo 0 > /proc/self/coredump_filter; } 2>/dev/null',
  'exec "$@"',
].join('\n')

let confinement: { readonly setpriv: readonly string[]; readonly score: string } | undefined

/**
 * What runs a program with less than the server has, and all that it starts:
 *
 * - It never gains privileges, neither by set-user-id programs nor by capabilities of files (`setpriv` of util-linux,
 *   where that is installed).
 * - When memory runs out, the operating system ends it before the server, and a crash writes none of its memory, which
 *   is a guest's, into a core file.
 * - Files that it makes are closed to other users.
 *
 * @returns the command as it is where the program can't be run: then the operating system says why
 */
export function confinedCommand(program: string, parameters: readonly string[]): Command {
  if (!canRun(program) || !canRun(SHELL)) return { program, parameters }
  confinement ??= lookUp()
  const { setpriv, score } = confinement
  return { program: SHELL, parameters: ['-c', SCRIPT, score, ...setpriv, program, ...parameters] }
}

function lookUp() {
  const path = usualProgramDirectories.map((directory) => join(directory, 'setpriv')).find(canRun)
  return {
    setpriv: path === undefined ? [] : [path, '--no-new-privs', '--'],
    score: `${Math.max(ownScore(), FIRST_TO_GO)}`,
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
