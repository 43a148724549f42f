import { err, ok, type Result } from 'neverthrow'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import type { ProjectId } from './project.ts'

/** Longer ones are refused by most file systems. */
const PATH_LIMIT = 4096

/** Control characters, and the quote that breaks the configuration files of emulators. */
const FORBIDDEN = /[\p{Cc}"]/u

/**
 * Whose word counts: only a server that is local to its clients lets them say where a project lies, and that is never
 * a directory with those of other projects in it.
 */
export function projectPath(
  { localMode, files }: Pick<Context, 'localMode' | 'files'>,
  current: string,
  wanted: string | undefined,
): Result<string, EmulationError> {
  const path = wanted === undefined ? current : plainPath(wanted)
  if (path === current) return ok(current)
  if (!localMode) return err({ type: 'project-location-fixed' })
  return isSafePath(path) && !isWithin(files.location, path) ? ok(path) : err({ type: 'project-path-invalid', path })
}

/** With one slash where there are several, and none at the end. */
const plainPath = (path: string): string => path.replace(/(?<=[^/])\/{2,}/g, '/').replace(/(?<=.)\/+$/, '')

/** Absolute, with no step up and no file system's root. */
const isSafePath = (path: string): boolean =>
  /^(\/[^/]|[A-Za-z]:[\\/][^\\/])/.test(path) &&
  path.length <= PATH_LIMIT &&
  !FORBIDDEN.test(path) &&
  !path.split(/[\\/]/).some((step) => step === '..' || step === '.')

export const isWithin = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}/`)

/** Runs a task that gives a project its directory: where clients choose them, no two projects ask for one at once. */
export const placing = <T>(
  { localMode, projectLocks }: Pick<Context, 'localMode' | 'projectLocks'>,
  task: () => Promise<T>,
): Promise<T> => (localMode ? projectLocks.exclusive('paths', task) : task())

/** Whether a directory would be deleted with another project's, or that one with it; only clients choose such ones. */
export async function isPathTaken(
  { localMode, repositories: { projects } }: Pick<Context, 'localMode' | 'repositories'>,
  id: ProjectId,
  path: string,
): Promise<boolean> {
  if (!localMode) return false
  const others = (await projects.list()).filter((project) => project.id !== id)
  return others.some((other) => isWithin(path, other.path) || isWithin(other.path, path))
}
